import type { EncodedBody, Encoding } from '@site/server/encoded-body';

export type Headers = Record<string, string | string[]>;

/** A reply in the form in which it is sent. */
export interface Message {
  status: number;
  headers: Headers;
  /** Null if the response has no body, even if its headers describe one (HEAD). */
  bytes: Buffer | null;
}

/** A response before content negotiation. */
export interface Reply {
  status: number;
  body: EncodedBody;
  headers: Headers;
  /** Whether conditional requests are supported. */
  revalidates?: boolean;
  /** Whether range requests are supported. */
  hasRanges?: boolean;
  /** Preloads, as `Link` header values. */
  links?: string[];
  /** The complete messages built before, by encoding. Only shared replies have these: see `kept`. */
  sent?: Map<Encoding, Message>;
}

/** A reply that is shared by many requests: its headers are built once per encoding. */
export function kept(reply: Reply): Reply {
  return { ...reply, sent: new Map() };
}
