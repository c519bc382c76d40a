import { randomUUID } from 'node:crypto';
import type { Preview, PreviewMade, ReleaseDocument, RevocationAnswer } from '@site/contract';
import { appendAudit } from '../database/audit.repository.ts';
import { findStable, type StoredRelease } from '../database/release.repository.ts';
import { findVersion, versionName } from '../database/version.repository.ts';
import { applyChanges } from '../domain/app-set.ts';
import { time } from '../domain/time.ts';
import { registryErrors } from '../errors.ts';
import type { PreviewRequest, RevocationRequest } from '../http/upkeep-request.schema.ts';
import type { Actor, RegistryContext } from '../use-cases/context.ts';
import type { Answer, Remember } from '../use-cases/idempotency.ts';
import { releaseDocument } from '../use-cases/release-document.ts';
import { loadReleaseSet } from '../use-cases/release-set.ts';
import { renderMissing } from '../use-cases/render-missing.ts';
import { signPreview } from './preview-token.ts';
import { findPreview, insertPreview, revokePreview, type PreviewRow } from './preview.repository.ts';

/**
 * Makes a link that shows the live site with one version, or with the remote on the author's own machine, in its place.
 * Everything is checked and rendered first: whoever opens it must not be the first to learn that it does not work.
 */
export async function makePreview(
  context: RegistryContext,
  actor: Actor,
  request: PreviewRequest,
  remember: Remember,
): Promise<Answer> {
  const { app, version = null, dev = null, channel, dryRun = false } = request;
  const stable = await requireStable(context, channel);
  if (version === null) requireLive(stable, app);
  else if (!(await findVersion(context.db, app, version))) {
    throw registryErrors.version_unknown(`There is no version ${versionName(app, version)}.`);
  }
  const rendered = version === null ? 0 : await renderPreview(context, withVersion(stable, app, version));

  const now = context.now();
  // The token counts in seconds; both must end at the same moment.
  const createdAt = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const preview: PreviewRow = {
    id: randomUUID(),
    channel,
    app,
    version,
    dev,
    by: actor.name,
    token_id: actor.tokenId,
    created_at: createdAt,
    expires_at: new Date(createdAt.getTime() + request.expiresInMinutes * 60_000),
    revoked_at: null,
  };
  const made = { id: preview.id, expiresAt: preview.expires_at.toISOString(), rendered };
  if (dryRun) {
    return { status: 200, body: { ...made, url: null, token: null, dryRun } satisfies PreviewMade };
  }
  const token = await signPreview(context.db, preview, now);
  const url = `${stable.release.config.origin}/_preview?token=${token}`;
  const answer: Answer = { status: 201, body: { ...made, url, token } satisfies PreviewMade };
  await context.db.transaction().execute(async (transaction) => {
    await insertPreview(transaction, preview);
    await appendAudit(transaction, {
      at: now,
      by: actor.name,
      action: 'preview.made',
      subject: preview.id,
      details: { channel, app, version, dev, expiresAt: made.expiresAt },
    });
    await remember(transaction, answer);
  });
  return answer;
}

/** @throws ApiError `preview_unknown`, `preview_over`. */
export async function previewInForce(context: RegistryContext, id: string): Promise<PreviewRow> {
  const found = await findPreview(context.db, id);
  if (!found) throw registryErrors.preview_unknown(`There is no preview "${id.slice(0, 50)}".`);
  const { preview, token } = found;
  const now = context.now();
  const over = (why: string) => registryErrors.preview_over(`The preview of ${preview.app} ${why}.`);
  if (preview.revoked_at) throw over(`was revoked at ${time(preview.revoked_at)}`);
  if (preview.expires_at <= now) throw over(`expired at ${time(preview.expires_at)}`);
  if (!token || token.revoked_at) throw over('ended with the token that made it, which was revoked');
  if (token.expires_at && token.expires_at <= now) {
    throw over('ended with the token that made it, which expired');
  }
  return preview;
}

export async function describePreview(context: RegistryContext, id: string): Promise<Preview> {
  const preview = await previewInForce(context, id);
  const { channel, app, version, dev, by } = preview;
  const createdAt = preview.created_at.toISOString();
  const expiresAt = preview.expires_at.toISOString();
  const stable = (await findStable(context.db, channel))?.release.id ?? null;
  return { id, channel, app, version, dev, by, createdAt, expiresAt, stable };
}

/**
 * What an edge needs to show a preview: the stable release with the previewed version in it. Pages that are not rendered
 * with what is live by now are.
 */
export async function previewDocument(context: RegistryContext, id: string): Promise<ReleaseDocument> {
  const { channel, app, version } = await previewInForce(context, id);
  const stable = await requireStable(context, channel);
  if (version === null) return releaseDocument(context, stable);
  const shown = withVersion(stable, app, version);
  await renderPreview(context, shown);
  return releaseDocument(context, shown);
}

export async function endPreview(
  context: RegistryContext,
  actor: Actor,
  id: string,
  { reason, dryRun = false }: RevocationRequest,
  remember: Remember,
): Promise<Answer> {
  const found = await findPreview(context.db, id);
  if (!found) throw registryErrors.preview_unknown(`There is no preview "${id.slice(0, 50)}".`);
  const at = context.now();
  const before = found.preview.revoked_at;
  if (before || dryRun) {
    const revokedAt = (before ?? at).toISOString();
    const body: RevocationAnswer = { id, revokedAt, changed: before === null, ...(dryRun ? { dryRun } : {}) };
    return { status: 200, body };
  }
  return context.db.transaction().execute(async (transaction) => {
    const changed = await revokePreview(transaction, id, at);
    if (changed) {
      await appendAudit(transaction, {
        at,
        by: actor.name,
        action: 'preview.revoked',
        subject: id,
        details: { app: found.preview.app, reason },
      });
    }
    const answer: Answer = {
      status: 200,
      body: { id, revokedAt: at.toISOString(), changed } satisfies RevocationAnswer,
    };
    await remember(transaction, answer);
    return answer;
  });
}

async function requireStable(
  { db }: RegistryContext,
  channel: PreviewRow['channel'],
): Promise<StoredRelease> {
  const stable = await findStable(db, channel);
  if (stable) return stable;
  throw registryErrors.release_incomplete(
    `Nothing is live on "${channel}" yet, so there is nothing to show a preview in; it needs a first release.`,
  );
}

function requireLive({ release }: StoredRelease, app: string): void {
  if (app in release.apps) return;
  throw registryErrors.app_unknown(
    `"${app}" is not live on "${release.channel}", so it cannot come from a developer's machine there; the live apps are: ${Object.keys(release.apps).join(', ')}.`,
  );
}

function withVersion(stable: StoredRelease, app: string, version: string): StoredRelease {
  return {
    ...stable,
    release: { ...stable.release, apps: applyChanges(stable.release.apps, { [app]: version }) },
  };
}

async function renderPreview(context: RegistryContext, { release }: StoredRelease): Promise<number> {
  const set = await loadReleaseSet(context.db, release.apps);
  return renderMissing(context, set, release.config);
}
