import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import { isSignedBy, type AuditKey } from './audit-key.ts';
import { TimestampSchema } from '@site/contract/timestamp.schema';

/** Where the audit log stands: its last entry. */
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
  /** Grows with each restore from a backup: the log goes on from another place then. */
  epoch: count,
  ...HeadSchema.entries,
  at: TimestampSchema,
  /**
   * The anchor before this one in the same epoch, so that one that was taken away is missed; this one itself when it was
   * taken away and is written again.
   */
  previous: v.nullable(count),
  /** In the first anchor after a restore: the end of what was restored. Later entries of earlier epochs were given up. */
  continues: v.nullable(HeadSchema),
});
/** A signed statement that the audit log had this entry. The entry's hash stands for all entries up to it. */
export type Anchor = v.InferOutput<typeof AnchorSchema>;

const SignedSchema = v.strictObject({ statement: v.string(), key: v.string(), signature: v.string() });

/** Other keys make other names, so that no anchor can replace another's. */
export function anchorName({ epoch, sequence }: Anchor, publicKey: string): string {
  const key = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  return `audit-${pad(epoch, 6)}-${pad(sequence, 10)}-${key}`;
}

const NAME = /^audit-(\d{6})-(\d{10})-[0-9a-f]{16}$/;

/** What the name of a record says it anchors, or null when it is not an anchor. Nothing is proved by a name. */
export function placeOf(name: string): { epoch: number; sequence: number } | null {
  const match = NAME.exec(name);
  return match ? { epoch: Number(match[1]), sequence: Number(match[2]) } : null;
}

export function writeAnchor(anchor: Anchor, key: AuditKey): Buffer {
  const statement = JSON.stringify(anchor);
  const signed = { statement, key: key.publicKey, signature: key.sign(statement) };
  return Buffer.from(`${JSON.stringify(signed)}\n`);
}

/** Why a record is not one of this registry's anchors. */
export interface BadAnchor {
  name: string;
  problem: string;
}

/** @param keys the public keys whose anchors are believed. */
export function readAnchor(
  name: string,
  bytes: Buffer,
  keys: readonly string[],
): { anchor: Anchor; publicKey: string } | BadAnchor {
  const signed = v.safeParse(jsonText(SignedSchema), bytes.toString('utf8'));
  if (!signed.success) return { name, problem: 'is not an anchor: it is damaged, or somebody else wrote it' };
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

/** Anybody may have written it: one line of plain text, and not a long one. */
function shown(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 60);
}
