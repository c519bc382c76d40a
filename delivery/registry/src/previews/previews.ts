import { randomUUID } from 'node:crypto';
import {
  type ChannelName,
  edgeAddresses,
  type Preview,
  type PreviewMade,
  type ReleaseDocument,
  type RevocationAnswer,
} from '@site/contract';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';
import { listOwnedApps, findVersion, applyChanges, toLiveSet } from '../versions/index.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import {
  findLive,
  type StoredRelease,
  notRegistered,
  refuseQuarantined,
  releaseDocument,
  endOne,
  findPreview,
  findPreviewByHash,
  insertPreview,
  type PreviewRow,
} from '../channels/index.ts';
import { timeText } from '@site/contract/text';
import { registryErrors, versionUnknown } from '../kernel/registry-errors.ts';
import { createSecret, hashSecret } from '@site/server/secrets';
import { accountFields } from '../access/index.ts';
import type { PreviewRequest } from '@site/contract/registry-calls/preview.calls';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import type { Answer, Command, Salted } from '../kernel/command.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { delegatedContext } from '../kernel/delegated-context.ts';
import { loadReleaseSet, renderMissing } from '../pages/index.ts';
import { requireScope } from '../kernel/scopes.ts';
import { type Outcome, runChange } from '../kernel/run-change.ts';
import { MINUTE_MS } from '@site/server/durations';

/**
 * Everything is rendered first, so that the recipient is not the first to see a failure. Retries store a salt rather
 * than the link.
 */
export async function makePreview(command: Command, request: PreviewRequest): Promise<Answer<PreviewMade>> {
  const { context, actor } = command;
  const { app, version = null, dev = null, channel } = request;
  const answer = await runChange(command, {
    async read(db) {
      const isKnown = version === null || (await findVersion(db, app, version)) !== undefined;
      return { live: await findLive(db, channel), isKnown, apps: await listOwnedApps(db) };
    },
    decide(seen) {
      const live = requireLiveRelease(seen.live, channel);
      if (version === null) requireRegistered(app, seen.apps);
      else if (!seen.isKnown) throw versionUnknown(app, version);
      return { live };
    },
    // Takes the quarantine's lock: either this sees the quarantine, or the quarantine ends this preview.
    async check(db) {
      if (version !== null) await refuseQuarantined(db, { [app]: version });
    },
    async prepare({ live }) {
      return version === null ? 0 : renderPreview(context, withVersion(live, app, version), [app]);
    },
    async write(writing, { live }, rendered): Promise<Outcome<Salted<PreviewMade & { origin: string }>>> {
      const { transaction, at } = writing;
      const [id, salt] = [randomUUID(), createSecret()];
      const expires = new Date(at.getTime() + request.expiresInMinutes * MINUTE_MS);
      await insertPreview(transaction, {
        id,
        channel,
        app,
        version,
        dev,
        by: actor.name,
        token_id: actor.tokenId,
        created_at: at,
        expires_at: expires,
        ended_at: null,
        ended_because: null,
        secret_hash: hashSecret(context.deriveSecret(salt)),
      });
      const expiresAt = expires.toISOString();
      await appendAudit(writing, {
        action: 'preview.made',
        subject: id,
        details: { channel, app, version, dev, expiresAt },
      });
      const { origin } = live.release.config;
      return { body: { id, url: null, expiresAt, rendered, salt, origin }, created: true };
    },
  });
  const { salt, origin, ...body } = answer.body;
  if (command.dryRun) return { ...answer, body };
  const secret = context.deriveSecret(salt ?? '');
  // A retry may come long after the preview ended.
  if (answer.replayed) await previewInForce(context, hashSecret(secret));
  return { ...answer, body: { ...body, url: `${origin}${edgeAddresses.preview}?id=${secret}` } };
}

/** @throws ApiError `preview_unknown`, `preview_over`. */
async function previewInForce(
  context: RegistryContext,
  hash: string,
): Promise<{ preview: PreviewRow; maker: Pick<Actor, 'tokenId' | 'pipeline' | 'owner'> }> {
  const found = await findPreviewByHash(context.db, hash);
  if (!found) throw registryErrors.preview_unknown('There is no preview with this link.');
  const { preview, token } = found;
  const now = context.now();
  const over = (why: string) => registryErrors.preview_over(`The preview of ${preview.app} ${why}.`);
  if (preview.ended_at) throw over(`ended at ${timeText(preview.ended_at)}: "${preview.ended_because}"`);
  if (preview.expires_at <= now) throw over(`expired at ${timeText(preview.expires_at)}`);
  if (!token || token.revoked_at) throw over('ended with the token that made it, which was revoked');
  // A pipeline's token expires within minutes, but its previews last until the trust is removed, which revokes the
  // token.
  if (token.trusts === null && token.expires_at && token.expires_at <= now) {
    throw over('ended with the token that made it, which expired');
  }
  return { preview, maker: { tokenId: preview.token_id, ...(await accountFields(context.db, token)) } };
}

/** Cheap: edges call this before each display. */
export async function describePreview(context: RegistryContext, hash: string): Promise<Preview> {
  const { id, channel, app, version, dev, expires_at } = (await previewInForce(context, hash)).preview;
  const live = (await findLive(context.db, channel))?.release.id ?? null;
  return { id, channel, app, version, dev, expiresAt: expires_at.toISOString(), live };
}

export async function previewDocument(context: RegistryContext, hash: string): Promise<ReleaseDocument> {
  const { preview, maker } = await previewInForce(context, hash);
  const { channel, app, version } = preview;
  const live = requireLiveRelease(await findLive(context.db, channel), channel);
  if (version === null) return releaseDocument(context, live);
  const shown = withVersion(live, app, version);
  await renderPreview(delegatedContext(context, { ...maker, scopes: [] }), shown);
  return releaseDocument(context, shown);
}

export function endPreview(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<RevocationAnswer>> {
  return runChange(command, {
    read: (db) => findPreview(db, id),
    decide(preview, at) {
      // Callers without access only learn that there is no such preview.
      if (!preview) throw registryErrors.preview_unknown(`There is no preview "${id.slice(0, 50)}".`);
      const { app, ended_at: before } = preview;
      requireScope(command.actor, `publish:${app}`, `activate:${app}`);
      return { id, revokedAt: (before ?? at).toISOString(), changed: before === null };
    },
    async write(writing, body) {
      if (body.changed) await endOne(writing, id, reason);
      return { body };
    },
  });
}

function requireLiveRelease(live: StoredRelease | null, channel: ChannelName): StoredRelease {
  if (live) return live;
  throw registryErrors.release_incomplete(
    `Nothing is live on "${channel}" yet, so there is no site to show the preview in. Activate a first release.`,
  );
}

/** A dev preview needs a registered app, not a published version. @throws ApiError `app_unknown`. */
function requireRegistered(app: string, apps: readonly OwnedApp[]): void {
  if (apps.some((one) => one.app === app)) return;
  throw registryErrors.app_unknown(notRegistered(app, apps));
}

function withVersion(live: StoredRelease, app: string, version: string): StoredRelease {
  return {
    ...live,
    release: { ...live.release, ...applyChanges(toLiveSet(live.release), { [app]: version }) },
  };
}

async function renderPreview(
  context: RegistryContext,
  { release }: StoredRelease,
  unproven: readonly string[] = [],
): Promise<number> {
  const set = await loadReleaseSet(context.db, release.apps);
  return renderMissing(context, set, release.config, { unproven });
}
