import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Preview, PreviewMade, ReleaseDocument, RevocationAnswer } from '@site/contract';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { findStable, type StoredRelease } from '../database/release.repository.ts';
import { findVersion, versionName } from '../database/version.repository.ts';
import { applyChanges, setOf } from '../domain/app-set.ts';
import { time } from '../domain/time.ts';
import { registryErrors } from '../errors.ts';
import type { PreviewRequest, RevocationRequest } from '@site/contract/registry-calls/preview.calls';
import type { Actor, RegistryContext } from '../use-cases/context.ts';
import { refuseQuarantined } from '../use-cases/guards.ts';
import type { Answer, Remember } from '../use-cases/idempotency.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { releaseDocument } from '../use-cases/release-document.ts';
import { loadReleaseSet } from '../use-cases/release-set.ts';
import { renderMissing } from '../use-cases/render-missing.ts';
import {
  endOne,
  findPreview,
  findPreviewByHash,
  insertPreview,
  replaceLink,
  type PreviewRow,
} from '../database/preview.repository.ts';

/**
 * Makes a link that shows the live site with one version, or with the remote on the author's own machine, in its place.
 * Everything is checked and rendered first: the person who opens it must not be the first to learn that it does not work.
 */
export async function makePreview(
  context: RegistryContext,
  actor: Actor,
  request: PreviewRequest,
  remember: Remember,
): Promise<Answer<PreviewMade>> {
  const { app, version = null, dev = null, channel, dryRun = false } = request;
  const stable = await requireStable(context, channel);
  if (version === null) requireLive(stable, app);
  else if (!(await findVersion(context.db, app, version))) {
    throw registryErrors.version_unknown(`There is no version ${versionName(app, version)}.`);
  }
  if (version !== null) await refuseQuarantined(context.db, { [app]: version });
  const rendered = version === null ? 0 : await renderPreview(context, withVersion(stable, app, version));

  const now = context.now();
  const preview: PreviewRow = {
    id: randomUUID(),
    channel,
    app,
    version,
    dev,
    by: actor.name,
    token_id: actor.tokenId,
    created_at: now,
    expires_at: new Date(now.getTime() + request.expiresInMinutes * 60_000),
    ended_at: null,
    ended_because: null,
    secret_hash: newLink().hash,
  };
  const made: PreviewMade = {
    id: preview.id,
    url: null,
    expiresAt: preview.expires_at.toISOString(),
    rendered,
    ...(dryRun ? { dryRun } : {}),
  };
  if (dryRun) return { status: 200, body: made };
  const answer = { status: 201, body: made };
  await context.db.transaction().execute(async (transaction) => {
    // A quarantine takes the same lock: either this sees it, or it sees this preview and ends it.
    await lockAuditLog(transaction);
    if (version !== null) await refuseQuarantined(transaction, { [app]: version });
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

/** Puts the link into the answer. As with tokens, it is not kept for retries: a retry gets another link to the same preview. */
export async function withLink(context: RegistryContext, made: PreviewMade): Promise<PreviewMade> {
  const preview = made.dryRun ? undefined : await findPreview(context.db, made.id);
  if (!preview) return made;
  const { release } = await requireStable(context, preview.channel);
  const { secret, hash } = newLink();
  await replaceLink(context.db, preview.id, hash);
  return { ...made, url: `${release.config.origin}/_preview?id=${secret}` };
}

/** 256 random bits: they need neither salt nor stretching. */
function newLink(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest('hex') };
}

/** @throws ApiError `preview_unknown`, `preview_over`. */
async function previewInForce(context: RegistryContext, hash: string): Promise<PreviewRow> {
  const found = await findPreviewByHash(context.db, hash);
  if (!found) throw registryErrors.preview_unknown('There is no preview with this link.');
  const { preview, token } = found;
  const now = context.now();
  const over = (why: string) => registryErrors.preview_over(`The preview of ${preview.app} ${why}.`);
  if (preview.ended_at) throw over(`ended at ${time(preview.ended_at)}: "${preview.ended_because}"`);
  if (preview.expires_at <= now) throw over(`expired at ${time(preview.expires_at)}`);
  if (!token || token.revoked_at) throw over('ended with the token that made it, which was revoked');
  if (token.expires_at && token.expires_at <= now) {
    throw over('ended with the token that made it, which expired');
  }
  return preview;
}

/** Cheap: an edge asks this whenever it is about to show the preview. */
export async function describePreview(context: RegistryContext, hash: string): Promise<Preview> {
  const { id, channel, app, version, dev, expires_at } = await previewInForce(context, hash);
  const stable = (await findStable(context.db, channel))?.release.id ?? null;
  return { id, channel, app, version, dev, expiresAt: expires_at.toISOString(), stable };
}

/**
 * What an edge needs to show a preview: the stable release with the previewed version in it. Pages that are not rendered
 * with what is live by now are.
 */
export async function previewDocument(context: RegistryContext, hash: string): Promise<ReleaseDocument> {
  const { channel, app, version, token_id } = await previewInForce(context, hash);
  const stable = await requireStable(context, channel);
  if (version === null) return releaseDocument(context, stable);
  const shown = withVersion(stable, app, version);
  await renderPreview(onBehalfOf(context, { tokenId: token_id, scopes: [] }), shown);
  return releaseDocument(context, shown);
}

export async function endPreview(
  context: RegistryContext,
  actor: Actor,
  id: string,
  { reason, dryRun = false }: RevocationRequest,
  remember: Remember,
): Promise<Answer<RevocationAnswer>> {
  const preview = await findPreview(context.db, id);
  if (!preview) throw registryErrors.preview_unknown(`There is no preview "${id.slice(0, 50)}".`);
  const at = context.now();
  const before = preview.ended_at;
  if (before || dryRun) {
    const revokedAt = (before ?? at).toISOString();
    const body: RevocationAnswer = { id, revokedAt, changed: before === null, ...(dryRun ? { dryRun } : {}) };
    return { status: 200, body };
  }
  return context.db.transaction().execute(async (transaction) => {
    const changed = await endOne(transaction, id, { by: actor.name, at, because: reason });
    const answer = {
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
    `Nothing is live on "${channel}" yet, so there is no site to show the preview in. Activate a first release.`,
  );
}

function requireLive({ release }: StoredRelease, app: string): void {
  if (app in release.apps) return;
  throw registryErrors.app_unknown(
    `"${app}" is not live on "${release.channel}", so there is nothing to replace with your own build; the live apps are: ${Object.keys(release.apps).join(', ')}.`,
  );
}

function withVersion(stable: StoredRelease, app: string, version: string): StoredRelease {
  return {
    ...stable,
    release: { ...stable.release, ...applyChanges(setOf(stable.release), { [app]: version }) },
  };
}

async function renderPreview(context: RegistryContext, { release }: StoredRelease): Promise<number> {
  const set = await loadReleaseSet(context.db, release.apps);
  return renderMissing(context, set, release.config);
}
