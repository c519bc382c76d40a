import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import { ChannelNameSchema, type RestoreAnswer } from '@site/contract';
import type { LogHead } from '../audit/anchor.ts';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { checkAuditLog } from '../database/check-audit-log.ts';
import { channelNames } from '../database/collection.repository.ts';
import { countInForce } from '../database/in-force.ts';
import { allowIdling } from '../database/in-transaction.ts';
import { channelChanged } from '../database/notices.ts';
import { skipReleases } from '../database/release.repository.ts';
import { continueNumbering, firstFilledTable, tablesInOrder } from '../database/table-dump.ts';
import type { RegistryDb, RegistryTransaction } from '../database/tables.ts';
import { allTokens } from '../database/token.repository.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Writing } from '../database/writing.ts';
import type { Command } from '../use-cases/command.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { runChange, type Outcome } from '../use-cases/run-change.ts';
import { namedBlobs } from '../use-cases/verify-store.ts';
import type { BackupHeaderSchema } from './archive.ts';
import { invalid } from './backup-invalid.ts';
import { insertRows } from './insert-rows.ts';
import { unpack } from './unpack-backup.ts';

/**
 * Puts a backup into a registry that nothing was ever published to. Blobs come first and are harmless by themselves; all
 * rows go in with one transaction, at the end of which everything must fit together. So it is restored, or nothing is.
 *
 * @param compressLater gets the blobs that browsers get. Compressing takes much longer than storing them, and the site works without.
 * @throws ApiError `registry_not_empty`, `backup_invalid`.
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
        // They stay valid, and the log of the backup does not name them.
        const own = (await allTokens(transaction)).map(({ name, scopes }) => ({ name, scopes }));
        const { takenAt, rows, lacking } = await restoreRows(writing, path, blobs, dryRun);
        const restored = await requireAuditLog(transaction);
        const inForce = await countInForce(transaction, writing.at);
        await appendAudit(writing, {
          action: 'registry.restored',
          subject: 'registry',
          details: { takenAt, rows, blobs: blobs.size, inForce, own },
        });
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

/** @throws ApiError `registry_not_empty`. */
async function requireEmpty(db: RegistryDb): Promise<void> {
  const table = await firstFilledTable(db);
  if (table !== null) throw registryErrors.registry_not_empty(`It has ${table.replace('_', ' ')}.`);
}

/** All rows of the backup, whose blobs are there. */
async function restoreRows(
  { transaction, at }: Writing,
  path: string,
  blobs: ReadonlySet<string>,
  dryRun: boolean,
): Promise<v.InferOutput<typeof BackupHeaderSchema>> {
  const header = await insertRows(transaction, path);
  // What a sequence has given out is not rolled back with the transaction.
  if (!dryRun) {
    for (const table of await tablesInOrder(transaction)) await continueNumbering(transaction, table);
  }
  if (!(await skipReleases(transaction, releaseGap(at, header.takenAt)))) {
    throw invalid('It does not say which number its newest release has.');
  }
  await requireBlobs(transaction, blobs, header.lacking);
  return header;
}

/**
 * Releases that were made after the backup are lost here, but edges may hold them still: a number that came to stand for
 * something else would never be loaded. Nobody makes a release each second, so a second restore of the same backup goes
 * beyond the first one, too.
 */
function releaseGap(now: Date, takenAt: string): number {
  const seconds = Math.ceil((now.getTime() - Date.parse(takenAt)) / 1000);
  return 100_000 + Math.max(0, seconds);
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

/** Before the commit: a log that jumped back without a word would be taken for one that was cut. */
async function anchorRestored(
  { anchors }: RegistryContext,
  transaction: RegistryTransaction,
  restored: LogHead,
): Promise<void> {
  // A store may take longer than a transaction may idle.
  await allowIdling(transaction);
  await anchors.beginAgain(restored, await lockAuditLog(transaction));
}
