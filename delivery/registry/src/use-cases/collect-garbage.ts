import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { StoredBlob } from '@site/artifacts/artifact-store';
import type { CollectionAnswer } from '@site/contract';
import { inParallel } from '@site/server/in-parallel';
import { appendAudit } from '../database/audit.repository.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { RegistryTables } from '../database/tables.ts';
import { versionName } from '../database/version.repository.ts';
import { registryErrors } from '../errors.ts';
import type { CollectionRequest } from '@site/contract/registry-calls/upkeep.calls';
import { lockOutChanges } from './blob-protection.ts';
import type { Actor, RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import type { Answer, Remember } from './idempotency.ts';
import { findNeeded } from './needed-blobs.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long to wait for a moment when no change is under way. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Deletes what nobody needs. First the store is listed, which may take a while and disturbs nobody; then one short
 * transaction, while no change is under way, decides and marks; then the marked blobs are deleted one by one. When this
 * process dies in between, the next collection goes on.
 */
export async function collectGarbage(
  context: CollectionContext,
  actor: Actor,
  request: CollectionRequest,
  remember: Remember,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Answer<CollectionAnswer>> {
  const stored: StoredBlob[] = [];
  for await (const blob of context.store.list()) stored.push(blob);

  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await inTransaction(context.db, request.dryRun, (transaction) =>
      decide(context, transaction, actor, request, stored, remember),
    );
    if (answer !== CHANGES_UNDER_WAY) {
      if (!request.dryRun) await sweep(context);
      return answer;
    }
    if (performance.now() > deadline) throw await busy(context);
    await sleep(PAUSE_MS);
  }
}

type CollectionContext = Pick<RegistryContext, 'db' | 'store' | 'now'>;

const CHANGES_UNDER_WAY = Symbol('changes under way');

async function decide(
  { now }: CollectionContext,
  transaction: Transaction<RegistryTables>,
  actor: Actor,
  { keepReleases, keepDays, dryRun }: CollectionRequest,
  stored: readonly StoredBlob[],
  remember: Remember,
): Promise<Answer<CollectionAnswer> | typeof CHANGES_UNDER_WAY> {
  await lockOutChanges(transaction);
  const at = now();
  const underWay = await transaction
    .selectFrom('changes_under_way')
    .select('id')
    .where('expires_at', '>', at)
    .executeTakeFirst();
  if (underWay) return CHANGES_UNDER_WAY;

  await requireVersions(transaction, stored.length);
  const since = new Date(at.getTime() - keepDays * DAY_MS);
  const yesterday = new Date(at.getTime() - DAY_MS);
  const needed = await findNeeded(transaction, { releases: keepReleases, since }, at);
  await transaction.deleteFrom('wanted_blobs').where('wanted_at', '<', yesterday).execute();
  await transaction.deleteFrom('changes_under_way').where('expires_at', '<=', at).execute();
  const wanted = await transaction.selectFrom('wanted_blobs').select('integrity').execute();
  for (const { integrity } of wanted) needed.blobs.add(integrity);

  const doomed = stored.filter(
    ({ integrity, storedAt }) => storedAt < yesterday && !needed.blobs.has(integrity),
  );
  await doom(transaction, doomed, at);
  await transaction.deleteFrom('rendered_pages').where(needed.unneededPages).execute();
  const versions = await collectVersions(transaction, needed.versions, at);

  const body: CollectionAnswer = {
    deleted: { blobs: doomed.length, bytes: doomed.reduce((sum, { bytes }) => sum + bytes, 0) },
    versions,
    kept: stored.length - doomed.length,
    ...(dryRun ? { dryRun } : {}),
  };
  if (doomed.length > 0 || versions.length > 0) {
    await appendAudit(transaction, {
      at,
      by: actor.name,
      action: 'store.collected',
      subject: 'store',
      details: {
        keepReleases,
        keepDays,
        ...body.deleted,
        versions: versions.map(({ app, version }) => versionName(app, version)),
      },
    });
  }
  const answer = { status: 200, body };
  await remember(transaction, answer);
  return answer;
}

/** A registry that knows of no version needs no file: most likely it is new, and its backup is still to be restored. */
async function requireVersions(transaction: Transaction<RegistryTables>, stored: number): Promise<void> {
  const known = await transaction.selectFrom('versions').select('version').limit(1).executeTakeFirst();
  if (known) return;
  throw registryErrors.registry_empty(
    `The registry has no versions, so it would delete everything in the store (${stored} files).`,
  );
}

async function doom(
  transaction: Transaction<RegistryTables>,
  blobs: readonly StoredBlob[],
  at: Date,
): Promise<void> {
  const integrities = blobs.map(({ integrity }) => integrity);
  await sql`
    insert into registry.doomed_blobs (integrity, doomed_at)
    select value, ${at} from ${rowsOf(integrities)}
    on conflict do nothing`.execute(transaction);
}

async function collectVersions(
  transaction: Transaction<RegistryTables>,
  needed: ReadonlySet<string>,
  at: Date,
): Promise<CollectionAnswer['versions']> {
  const { rows } = await sql<{ app: string; version: string }>`
    update registry.versions set collected_at = ${at}
    where collected_at is null
      and app || '@' || version not in (select value from ${rowsOf([...needed])})
    returning app, version`.execute(transaction);
  return rows.sort((a, b) => (versionName(a.app, a.version) < versionName(b.app, b.version) ? -1 : 1));
}

/** Deletes what is marked, also by a collection that did not come to its end. Each blob in a transaction with its mark: a client that uploads it again waits for that, or saves it. */
export async function sweep({ db, store }: Pick<RegistryContext, 'db' | 'store'>): Promise<void> {
  const marked = await db.selectFrom('doomed_blobs').select('integrity').execute();
  await inParallel(4, marked, ({ integrity }) =>
    db.transaction().execute(async (transaction) => {
      // A store may take longer than a transaction may idle: the mark must not go back while the deletion is on its way.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      const mark = await transaction
        .deleteFrom('doomed_blobs')
        .where('integrity', '=', integrity)
        .returning('integrity')
        .executeTakeFirst();
      if (!mark) return;
      await store.delete(integrity);
      await transaction.deleteFrom('damaged_blobs').where('integrity', '=', integrity).execute();
    }),
  );
}

async function busy({ db }: CollectionContext) {
  const rows = await db.selectFrom('changes_under_way').select('what').orderBy('what').execute();
  const list = [...new Set(rows.map(({ what }) => what))].join(', ');
  return registryErrors.registry_busy(`Changes were under way all the time (${list}).`);
}
