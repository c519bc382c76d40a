import type { RecordStore } from '@site/artifacts/record-store';
import type { RegistryDb } from '../kernel/tables.ts';
import { auditHead, lastAnchored, noteAnchored } from '../kernel/audit.repository.ts';
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
  /** Records with names of anchors that this registry did not sign. */
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
  /** Writes an anchor that links the log before and after a restore. Call it before the commit. */
  beginAgain(restored: LogHead, end: LogHead): Promise<void>;
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

  return {
    publicKey: key.publicKey,
    read,
    lastWritten,

    async head() {
      return (await auditHead(db))?.hash ?? '';
    },

    async anchorEnd() {
      // Anchors first: entries anchored in the meantime are in the log when it is read.
      const names = await anchorNames(records);
      const last = await newest(names);
      const written = await lastWritten();
      const start = last ?? { epoch: 0, sequence: 0, hash: GENESIS_HASH };
      const { entries: sequence, hash, problem } = await checkAuditLog(db, { after: start });
      if (problem !== null) return problem;
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

    async beginAgain(restored, end) {
      const last = await newest(await anchorNames(records));
      // Without any anchor, there is nothing that the restored log could contradict.
      if (!last) return;
      await write({
        ...unwritten,
        ...end,
        epoch: last.epoch + 1,
        at: now().toISOString(),
        continues: restored,
      });
    },
  };
}

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
