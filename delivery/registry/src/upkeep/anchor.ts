import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import { isSignedBy, type AuditKey } from './audit-key.ts';
import { TimestampSchema } from '@site/contract/timestamp.schema';

export interface LogHead {
  sequence: number;
  hash: string;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const HeadSchema = v.strictObject({
  sequence: count,
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const AnchorSchema = v.strictObject({
  anchor: v.literal(1),
  /** Incremented by each restore from a backup, after which the log continues from another entry. */
  epoch: count,
  ...HeadSchema.entries,
  at: TimestampSchema,
  /**
   * The previous anchor in the same epoch, so that a deleted one is detected; its own sequence if it was deleted and
   * rewritten.
   */
  previous: v.nullable(count),
  /** In the first anchor after a restore: the last restored entry. Later entries of earlier epochs were discarded. */
  continues: v.nullable(HeadSchema),
});
export type Anchor = v.InferOutput<typeof AnchorSchema>;

const SignedSchema = v.strictObject({ statement: v.string(), key: v.string(), signature: v.string() });

/** Contains the key's hash, so that an anchor cannot replace one of another key. */
export function anchorName({ epoch, sequence }: Anchor, publicKey: string): string {
  const key = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  return `audit-${pad(epoch, 6)}-${pad(sequence, 10)}-${key}`;
}

const NAME = /^audit-(\d{6})-(\d{10})-[0-9a-f]{16}$/;

export function parseAnchorName(name: string): { epoch: number; sequence: number } | null {
  const match = NAME.exec(name);
  return match ? { epoch: Number(match[1]), sequence: Number(match[2]) } : null;
}

export function writeAnchor(anchor: Anchor, key: AuditKey): Buffer {
  const statement = JSON.stringify(anchor);
  const signed = { statement, key: key.publicKey, signature: key.sign(statement) };
  return Buffer.from(`${JSON.stringify(signed)}\n`);
}

export interface BadAnchor {
  name: string;
  problem: string;
}

export function readAnchor(
  name: string,
  bytes: Buffer,
  keys: readonly string[],
): { anchor: Anchor; publicKey: string } | BadAnchor {
  const signed = v.safeParse(jsonText(SignedSchema), bytes.toString('utf8'));
  if (!signed.success) return { name, problem: 'is not an anchor: it is damaged or forged' };
  const { statement, key, signature } = signed.output;
  if (!keys.includes(key)) return { name, problem: `is signed with another key (${shown(key)})` };
  if (!isSignedBy(key, statement, signature)) return { name, problem: 'has a forged signature' };
  const anchor = v.safeParse(jsonText(AnchorSchema), statement);
  if (!anchor.success) return { name, problem: 'is of another version of the registry' };
  if (anchorName(anchor.output, key) !== name) return { name, problem: 'has the name of another anchor' };
  return { anchor: anchor.output, publicKey: key };
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

/** Untrusted text: reduce it to one short line. */
function shown(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 60);
}

export const NEWEST_KEPT = 64;

/**
 * The anchors of one epoch to delete, so that their number grows only with the logarithm of the log's length: all but
 * the newest, and the oldest that is 2ⁿ to 2ⁿ⁺¹ entries behind the end. Older ones help to locate a manipulation.
 */
export function thinnedOut(sequences: readonly number[]): number[] {
  const newestFirst = [...new Set(sequences)].sort((a, b) => b - a);
  const [end = 0] = newestFirst;
  const kept = new Map<number, number>();
  // The last one in each group is the oldest, which stays in its group longest.
  for (const sequence of newestFirst.slice(NEWEST_KEPT)) {
    kept.set(Math.floor(Math.log2(end - sequence)), sequence);
  }
  const stays = new Set(kept.values());
  return newestFirst.slice(NEWEST_KEPT).filter((sequence) => !stays.has(sequence));
}
