import type { RecordStore } from '@site/artifacts/record-store';
import { timeText } from '@site/contract/text';
import { releaseGap, skipReleases } from '../channels/index.ts';
import type { RegistryDb, RegistryTransaction, Unconfirmed } from '../kernel/tables.ts';
import {
  auditHead,
  lastEntryAt,
  lastAnchored,
  lockAuditLog,
  noteAnchored,
  noteUnconfirmed,
  startEpoch,
} from '../kernel/audit.repository.ts';
import { inTransaction } from '../kernel/in-transaction.ts';
import { checkAuditLog } from './audit-log-check.repository.ts';
import { GENESIS_HASH } from '../kernel/audit-chain.ts';
import {
  anchorName,
  parseAnchorName,
  readAnchor,
  writeAnchor,
  type Anchor,
  type BadAnchor,
  type LogHead,
  thinnedOut,
} from './anchor.ts';
import type { AuditKey } from './audit-key.ts';

export interface AuditAnchorsOptions {
  db: RegistryDb;
  records: RecordStore;
  key: AuditKey;
  formerKeys: readonly string[];
  now(): Date;
}

export interface AnchorsRead {
  anchors: Anchor[];
  bad: BadAnchor[];
}

/**
 * Signs the end of the audit log and stores it in the artifact store, so that write access to the database alone is not
 * enough to truncate or rewrite the log undetected. See `docs/decisions/0026-backup-and-anchored-audit-log.md`.
 */
export interface AuditAnchors {
  /**
   * Writes nothing if the log contradicts earlier anchors, which preserves the evidence. @returns the contradiction.
   */
  anchorEnd(): Promise<string | null>;
  head(): Promise<string>;
  read(): Promise<AnchorsRead>;
  lastWritten(): Promise<{ epoch: number; sequence: number }>;
  /**
   * Starts an epoch after a restore or a loss of entries: writes an anchor that links the log before and after. Call it
   * last in the transaction.
   * @param knownEpoch a newer epoch that an edge follows.
   */
  beginEpoch(transaction: RegistryTransaction, continues: LogHead, knownEpoch?: number): Promise<void>;
  publicKey: string;
}

export function createAuditAnchors({ db, records, key, formerKeys, now }: AuditAnchorsOptions): AuditAnchors {
  const keys = [key.publicKey, ...formerKeys];

  async function read(): Promise<AnchorsRead> {
    const anchors: Anchor[] = [];
    const bad: BadAnchor[] = [];
    for (const name of await anchorNames(records)) {
      const bytes = await records.get(name);
      if (!bytes) continue;
      const found = readAnchor(name, bytes, keys);
      if ('anchor' in found) anchors.push(found.anchor);
      else bad.push(found);
    }
    return { anchors, bad };
  }

  /** The last valid anchor. Forged ones cannot hide it for long, since each is read only once. */
  async function newest(names: readonly string[]): Promise<Anchor | null> {
    for (const name of names.toReversed()) {
      const bytes = await records.get(name);
      const found = bytes && readAnchor(name, bytes, keys);
      if (found && 'anchor' in found) return found.anchor;
    }
    return null;
  }

  async function lastWritten(): Promise<{ epoch: number; sequence: number }> {
    return (await lastAnchored(db)) ?? { epoch: 0, sequence: 0 };
  }

  async function write(anchor: Anchor): Promise<string> {
    const name = anchorName(anchor, key.publicKey);
    await records.add(name, writeAnchor(anchor, key));
    return name;
  }

  /**
   * Only anchors of the current key, in an epoch whose newest anchor has just been verified against the log.
   */
  async function thin(epoch: number, names: readonly string[]): Promise<void> {
    const own = new Map<number, string>();
    for (const name of names) {
      const place = parseAnchorName(name);
      if (place?.epoch !== epoch) continue;
      if (name === anchorName({ ...unwritten, ...place }, key.publicKey)) own.set(place.sequence, name);
    }
    for (const sequence of thinnedOut([...own.keys()])) {
      const name = own.get(sequence);
      const bytes = name === undefined ? null : await records.get(name);
      const found = name !== undefined && bytes ? readAnchor(name, bytes, keys) : null;
      // Anchors of a restore are kept forever.
      if (found && 'anchor' in found && !found.anchor.continues) await records.delete(name ?? '');
    }
  }

  async function note(head: LogHead, found: Unconfirmed): Promise<void> {
    await inTransaction(db, false, async (transaction) => {
      const { sequence, hash, unconfirmed } = await lockAuditLog(transaction);
      // Otherwise the next run decides.
      if (unconfirmed || sequence !== head.sequence || hash !== head.hash) return;
      await noteUnconfirmed(transaction, found);
      // Edges and anchors may know releases with the next numbers.
      if (found.kind === 'lost')
        await skipReleases(transaction, releaseGap(now(), (await lastEntryAt(transaction)) ?? now()));
    });
  }

  async function noteLoss(last: Anchor): Promise<void> {
    const hashes = new Map<number, string>();
    const { anchors } = await read();
    const anchored = new Set(anchors.map(({ sequence }) => sequence));
    const { entries, hash, ok } = await checkAuditLog(db, {
      onEntry: (sequence, entryHash) => anchored.has(sequence) && hashes.set(sequence, entryHash),
    });
    // A new database, to be restored; a damaged log, which "verify" reports; or entries that have just arrived.
    if (entries === 0 || !ok || hashes.get(last.sequence) === last.hash) return;
    const shared = anchors.filter((anchor) => hashes.get(anchor.sequence) === anchor.hash);
    const common = shared.reduce<LogHead>((a, b) => (b.sequence > a.sequence ? b : a), genesis);
    const says =
      `The database lost entries ${common.sequence + 1} to ${last.sequence} of the audit log, of up to ` +
      `${timeText(last.at)}: their releases, rollbacks and quarantines are undone. Edges keep their releases. ` +
      'Repeat the rollbacks and quarantines, then run "npx @site/cli recover".';
    await note(
      { sequence: entries, hash },
      {
        kind: 'lost',
        says,
        at: now().toISOString(),
        common: { sequence: common.sequence, hash: common.hash },
      },
    );
  }

  async function noteCopy(head: LogHead): Promise<void> {
    const says =
      'The artifact store has no anchor of this database: the database is a copy, or AUDIT_KEY changed. Alerts and ' +
      'guard are off until "npx @site/cli recover" confirms it.';
    await note(head, { kind: 'copied', says, at: now().toISOString(), common: head });
  }

  return {
    publicKey: key.publicKey,
    read,
    lastWritten,

    async head() {
      return (await auditHead(db))?.hash ?? '';
    },

    async anchorEnd() {
      // Before the anchors: one that is written in the meantime is then no sign of a copy.
      const written = await lastWritten();
      // Anchors first: entries anchored in the meantime are in the log when it is read.
      const names = await anchorNames(records);
      const last = await newest(names);
      const start = last ?? { epoch: 0, sequence: 0, hash: GENESIS_HASH };
      const { entries: sequence, hash, problem } = await checkAuditLog(db, { after: start });
      if (problem !== null) {
        if (last) await noteLoss(last);
        return problem;
      }
      if (!last && written.sequence > 0) await noteCopy({ sequence, hash });
      if (sequence === start.sequence) return null;
      // The anchor that the database remembers may have been deleted from the store; the link then reveals that.
      const previous =
        written.epoch === start.epoch ? Math.max(written.sequence, start.sequence) : start.sequence;
      const { epoch } = start;
      const name = await write({
        ...unwritten,
        epoch,
        sequence,
        hash,
        at: now().toISOString(),
        previous: previous > 0 ? previous : null,
      });
      await noteAnchored(db, { epoch, sequence });
      // List once: listing a bucket is slow, and this runs after each change.
      await thin(epoch, [...names, name]);
      return null;
    },

    async beginEpoch(transaction, continues, knownEpoch = 0) {
      const { sequence, hash, epoch } = await lockAuditLog(transaction);
      const last = await newest(await anchorNames(records));
      const next = Math.max(epoch, last?.epoch ?? 0, knownEpoch) + 1;
      await startEpoch(transaction, next);
      const at = now().toISOString();
      await write({ ...unwritten, epoch: next, sequence, hash, at, continues });
    },
  };
}

const genesis: LogHead = { sequence: 0, hash: GENESIS_HASH };

const unwritten: Anchor = {
  anchor: 1,
  epoch: 0,
  sequence: 0,
  hash: GENESIS_HASH,
  at: '',
  previous: null,
  continues: null,
};

async function anchorNames(records: RecordStore): Promise<string[]> {
  return (await records.names()).filter((name) => parseAnchorName(name) !== null).sort();
}
