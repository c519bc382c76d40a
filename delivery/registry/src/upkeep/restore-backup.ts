import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import { cacheKeys } from '@site/contract/cache-keys';
import { ChannelNameSchema, type RestoreAnswer } from '@site/contract';
import type { LogHead } from './anchor.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import { checkAuditLog } from './audit-log-check.repository.ts';
import { channelNames } from './collection.repository.ts';
import { countInForce } from '../kernel/in-force.ts';
import { allowIdling } from '../kernel/in-transaction.ts';
import { channelChanged } from '../kernel/notices.ts';
import { queuePurges } from '../kernel/queue-purges.ts';
import { releaseGap, skipReleases } from '../channels/index.ts';
import { continueNumbering, firstFilledTable, tablesInOrder } from '../kernel/table-dump.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import { allTokens } from '../access/index.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import type { Command } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { runChange, type Outcome } from '../kernel/run-change.ts';
import { namedBlobs } from './verify-store.ts';
import { type BackupHeaderSchema, invalid } from './archive.ts';
import { insertRows } from './insert-rows.ts';
import { unpack } from './unpack-backup.ts';

/**
 * Blobs come first and are harmless alone; all rows are inserted in one transaction that ends with a consistency check:
 * all or nothing.
 * @param compressLater receives the public blobs: compression is much slower than storing, and the site works without
 * it.
 */
export async function restoreBackup(
  command: Command,
  archive: Readable,
  compressLater: (integrities: readonly string[]) => void,
): Promise<RestoreAnswer> {
  const { context, dryRun } = command;
  const folder = await mkdtemp(join(tmpdir(), 'registry-restore-'));
  try {
    const path = join(folder, 'rows');
    let served: readonly string[] = [];
    const { body } = await runChange(command, {
      locks: { channels: ChannelNameSchema.options, tables: true },
      check: requireEmpty,
      async prepare() {
        const blobs = await unpack(context, archive, path, dryRun);
        ({ served } = blobs);
        return blobs.all;
      },
      async write(writing, _, blobs): Promise<Outcome<RestoreAnswer>> {
        const { transaction } = writing;
        // The registry's own tokens stay valid but are missing from the backup's log.
        const own = (await allTokens(transaction)).map(({ name, scopes }) => ({ name, scopes }));
        const { takenAt, rows, lacking } = await restoreRows(writing, path, blobs, dryRun);
        const restored = await requireAuditLog(transaction);
        const inForce = await countInForce(transaction, writing.at);
        await appendAudit(writing, {
          action: 'registry.restored',
          subject: 'registry',
          details: { takenAt, rows, blobs: blobs.size, inForce, own },
        });
        for (const channel of ChannelNameSchema.options)
          await queuePurges(writing, channel, Object.values(cacheKeys));
        if (!dryRun) await anchorRestored(context, transaction, restored);
        return {
          body: { takenAt, rows, lacking, blobs: blobs.size, inForce },
          notices: (await channelNames(transaction)).map(channelChanged),
        };
      },
    });
    if (!dryRun) compressLater(served);
    return body;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireEmpty(db: RegistryDb): Promise<void> {
  const table = await firstFilledTable(db);
  if (table !== null) throw registryErrors.registry_not_empty(`It has ${table.replace('_', ' ')}.`);
}

async function restoreRows(
  { transaction, at }: ChangeContext,
  path: string,
  blobs: ReadonlySet<string>,
  dryRun: boolean,
): Promise<v.InferOutput<typeof BackupHeaderSchema>> {
  const header = await insertRows(transaction, path);
  // Sequences are not rolled back with the transaction.
  if (!dryRun) {
    for (const table of await tablesInOrder(transaction)) await continueNumbering(transaction, table);
  }
  if (!(await skipReleases(transaction, releaseGap(at, new Date(header.takenAt))))) {
    throw invalid('It does not contain the number of its newest release.');
  }
  await requireBlobs(transaction, blobs, header.lacking);
  return header;
}

async function requireBlobs(
  transaction: RegistryTransaction,
  blobs: ReadonlySet<string>,
  lacking: readonly string[],
): Promise<void> {
  const known = new Set(lacking);
  for (const [integrity, { usedBy }] of await namedBlobs({ db: transaction })) {
    if (!blobs.has(integrity) && !known.has(integrity)) {
      throw invalid(`It lacks the blob ${integrity} (${usedBy[0] ?? ''}).`);
    }
  }
}

async function requireAuditLog(transaction: RegistryTransaction): Promise<LogHead> {
  const { problem, entries: sequence, hash } = await checkAuditLog(transaction);
  if (problem !== null) throw invalid(`Its audit log was changed: ${problem}`);
  return { sequence, hash };
}

/** Before the commit: without this anchor, the shorter log would look truncated. */
async function anchorRestored(
  { anchors }: RegistryContext,
  transaction: RegistryTransaction,
  restored: LogHead,
): Promise<void> {
  await allowIdling(transaction);
  await anchors.beginEpoch(transaction, restored);
}
