import { ApiError } from '@site/server/api-error';
import type { ChangeAnswer } from '@site/contract';
import { appendAudit } from '../kernel/audit.repository.ts';
import type { ChannelSnapshot, StoredCanary } from './channel.repository.ts';
import { releaseId, type ReleasePlan } from './release.repository.ts';
import { revokeReleases } from './revocation.repository.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { showsNothingElse, withCanaries } from './canary.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { makeReleases } from './make-releases.ts';
import { checkFit, type PreparedRelease } from './prepare-release.ts';
import type { Outcome } from '../kernel/run-change.ts';

interface EndingCanary {
  canary: StoredCanary;
  because: string;
}

export interface ReadyRollback {
  live: PreparedRelease;
  ends: readonly EndingCanary[];
}

/** Open tabs leave the `revoked` releases and the ending canaries. */
export async function applyRollback(
  writing: ChangeContext,
  {
    snapshot,
    ready: { live, ends },
    revoked,
    reason,
  }: { snapshot: ChannelSnapshot; ready: ReadyRollback; revoked: readonly number[]; reason: string },
  more: Partial<ChangeAnswer>,
): Promise<Outcome<ChangeAnswer>> {
  const { channel } = snapshot;
  const left = [...new Set([...revoked, ...ends.map(({ canary }) => canary.number)])].sort((a, b) => a - b);
  await revokeReleases(writing, left, { channel, reason });
  for (const { canary, because } of ends) {
    await appendAudit(writing, {
      action: 'canary.ended',
      subject: canary.release.id,
      details: { channel, app: canary.app, reason: because },
    });
  }
  const canariesEnded = ends.map(({ canary: { app, release }, because }) => ({
    release: release.id,
    app,
    because,
  }));
  return makeReleases(
    writing,
    { snapshot, live, ended: ends.map(({ canary }) => canary) },
    { ...more, revoked: left.map(releaseId), ...(ends.length > 0 ? { canariesEnded } : {}) },
  );
}

/**
 * Rollbacks take precedence: a canary that does not fit the restored version ends. The pages of the others may be
 * rendered later (`keepCanariesRendered`).
 */
export async function endingCanaries(
  context: RegistryContext,
  { canaries }: ChannelSnapshot,
  plan: ReleasePlan,
): Promise<EndingCanary[]> {
  const ends: EndingCanary[] = [];
  for (const canary of canaries) {
    if (showsNothingElse(plan, canary)) {
      ends.push({ canary, because: 'All visitors see its version now.' });
      continue;
    }
    try {
      await checkFit(context, withCanaries(plan, [canary]));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ends.push({ canary, because: `It does not fit the restored version: ${error.detail}` });
    }
  }
  return ends;
}
