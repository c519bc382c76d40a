import type { EncodedBody, Encoding } from '@site/server/encoded-body';

export type Headers = Record<string, string | string[]>;

/** A reply in the form in which it goes out. */
export interface Message {
  status: number;
  headers: Headers;
  /** Null where the answer has no body, even if its headers tell of one (HEAD). */
  bytes: Buffer | null;
}

/** What a request is answered with, before it is known in which form the visitor can take it. */
export interface Reply {
  status: number;
  body: EncodedBody;
  headers: Headers;
  /** Whether the client may ask "has it changed?". */
  revalidates?: boolean;
  /** Whether the client may ask for a part of it. */
  hasRanges?: boolean;
  /** What a browser will need next, as `Link` header values. */
  links?: string[];
  /** The whole of it as it was sent before, by encoding. Only a reply that many requests get has these: see `kept`. */
  sent?: Map<Encoding, Message>;
}

/** A reply that is made once, for all who ask for the same: its headers are put together once for each encoding. */
export function kept(reply: Reply): Reply {
  return { ...reply, sent: new Map() };
}
