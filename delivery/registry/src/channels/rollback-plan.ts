import { ArtifactStoreError } from '@site/artifacts/artifact-store';
import { ApiError } from '@site/server/api-error';
import type { ChangeAnswer } from '@site/contract';
import { appendAudit } from '../kernel/audit.repository.ts';
import { type ChannelSnapshot, listCanaryReleases } from './channel.repository.ts';
import { releaseId, type ReleasePlan } from './release.repository.ts';
import { revokeReleases } from './revocation.repository.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { carryOver, runningCanary, showsNothingElse } from './canary.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { type CanaryStep, makeReleases } from './make-releases.ts';
import { type PreparedRelease, prepareRendered } from './prepare-release.ts';
import type { Outcome } from '../kernel/run-change.ts';

export interface ReadyRollback {
  live: PreparedRelease;
  canary: CanaryStep;
  ends: string | null;
}

/**
 * Open tabs leave the previous releases.
 * @param revoked the releases to leave, in addition to the releases of an ending canary.
 */
export async function applyRollback(
  writing: ChangeContext,
  {
    snapshot,
    ready: { live, canary, ends },
    revoked,
    reason,
  }: { snapshot: ChannelSnapshot; ready: ReadyRollback; revoked: readonly number[]; reason: string },
  more: Partial<ChangeAnswer>,
): Promise<Outcome<ChangeAnswer>> {
  const { channel } = snapshot;
  const ended = ends !== null && snapshot.canary ? { ...snapshot.canary, because: ends } : null;
  const ofCanary = ended ? await listCanaryReleases(writing.transaction, channel, ended.first) : [];
  const left = [...new Set([...revoked, ...ofCanary])].sort((a, b) => a - b);
  await revokeReleases(writing, left, { channel, reason });
  if (ended) {
    await appendAudit(writing, {
      action: 'canary.ended',
      subject: ended.release.id,
      details: { channel, reason: ended.because },
    });
  }
  return makeReleases(
    writing,
    { snapshot, live, canary },
    {
      ...more,
      revoked: left.map(releaseId),
      ...(ended ? { canaryEnded: { release: ended.release.id, because: ended.because } } : {}),
    },
  );
}

/** Rollbacks take precedence: a canary that cannot continue immediately ends. */
export async function canaryAfter(
  context: RegistryContext,
  snapshot: ChannelSnapshot,
  plan: ReleasePlan,
  app: string,
): Promise<{ canary: CanaryStep; ends: string | null }> {
  const running = runningCanary(snapshot);
  if (!running) return { canary: { step: 'none' }, ends: null };
  const end = (because: string) => ({ canary: { step: 'end' } as const, ends: because });
  try {
    const carried = await carryOver(context, running, plan);
    if (showsNothingElse(carried, plan)) return end('What it showed is what everyone sees now.');
    const release = await prepareRendered(context, carried, [app]);
    if (release) return { canary: { step: 'carry', release }, ends: null };
    return end('Its pages are not rendered yet for what is live now, and a rollback does not wait for them.');
  } catch (error) {
    if (error instanceof ApiError) return end(`It cannot continue with the rollback: ${error.detail}`);
    if (error instanceof ArtifactStoreError) return end('Its pages could not be checked.');
    throw error;
  }
}
