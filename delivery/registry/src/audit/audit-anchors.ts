import type { RecordStore } from '@site/artifacts/record-store';
import type { RegistryDb } from '../database/tables.ts';
import { auditHead, lastAnchored, noteAnchored } from '../database/audit.repository.ts';
import { checkAuditLog } from '../database/check-audit-log.ts';
import { GENESIS_HASH } from '../domain/audit-chain.ts';
import {
  anchorName,
  placeOf,
  readAnchor,
  writeAnchor,
  type Anchor,
  type BadAnchor,
  type LogHead,
} from './anchor.ts';
import type { AuditKey } from './audit-key.ts';
import { thinnedOut } from './thin-anchors.ts';

export interface AuditAnchorsOptions {
  db: RegistryDb;
  records: RecordStore;
  key: AuditKey;
  /** Public keys that were used before and are still believed. */
  formerKeys: readonly string[];
  now(): Date;
}

export interface AnchorsRead {
  /** Oldest first. */
  anchors: Anchor[];
  /** Records that are named like anchors, but are not ours. */
  bad: BadAnchor[];
}

/**
 * The end of the audit log, signed and kept in the artifact store: whoever has the database alone can neither cut the log
 * nor rewrite it without that showing. `docs/decisions/0026-backup-and-anchored-audit-log.md` explains it.
 */
export interface AuditAnchors {
  /**
   * Anchors the end of the log, unless it is anchored. Nothing is written when the log does not follow from what was
   * anchored before: the proof of that stays.
   *
   * @returns what does not fit, or null.
   */
  anchorEnd(): Promise<string | null>;
  /** The hash that the log ends with: another one once it has grown. */
  head(): Promise<string>;
  /** All anchors that there are. */
  read(): Promise<AnchorsRead>;
  /** Which anchor the database remembers as the last one that was written. */
  lastWritten(): Promise<{ epoch: number; sequence: number }>;
  /** Says that the log goes on after a restore: with `end`, after `restored`. To be called before that is committed. */
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
      // Thinned out a moment ago.
      if (!bytes) continue;
      const found = readAnchor(name, bytes, keys);
      if ('anchor' in found) anchors.push(found.anchor);
      else bad.push(found);
    }
    return { anchors, bad };
  }

  /** The last anchor that is ours. Forged ones cannot stand in front of it for long: each is read but once. */
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

  /** @returns its name. */
  async function write(anchor: Anchor): Promise<string> {
    const name = anchorName(anchor, key.publicKey);
    await records.add(name, writeAnchor(anchor, key));
    return name;
  }

  /** Only anchors of our own key, in an epoch whose newest anchor was just found to match the log. */
  async function thin(epoch: number, names: readonly string[]): Promise<void> {
    const own = new Map<number, string>();
    for (const name of names) {
      const place = placeOf(name);
      if (place?.epoch !== epoch) continue;
      if (name === anchorName({ ...unwritten, ...place }, key.publicKey)) own.set(place.sequence, name);
    }
    for (const sequence of thinnedOut([...own.keys()])) {
      const name = own.get(sequence);
      const bytes = name === undefined ? null : await records.get(name);
      const found = name !== undefined && bytes ? readAnchor(name, bytes, keys) : null;
      // Anchors that show a restore stay for good.
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
      // The anchors first: what is anchored meanwhile is in the log by the time that the log is read.
      const names = await anchorNames(records);
      const last = await newest(names);
      const written = await lastWritten();
      const start = last ?? { epoch: 0, sequence: 0, hash: GENESIS_HASH };
      const { entries: sequence, hash, problem } = await checkAuditLog(db, { after: start });
      if (problem !== null) return problem;
      if (sequence === start.sequence) return null;
      // What the database remembers may have been taken out of the store: then the link shows it.
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
      // Listed once: a bucket takes its time for that, and this happens after each change.
      await thin(epoch, [...names, name]);
      return null;
    },

    async beginAgain(restored, end) {
      const last = await newest(await anchorNames(records));
      // Without any anchor there is nothing that the restored log could contradict.
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

/** Oldest first: their numbers are of one length. */
async function anchorNames(records: RecordStore): Promise<string[]> {
  return (await records.names()).filter((name) => placeOf(name) !== null).sort();
}
