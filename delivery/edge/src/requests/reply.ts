import type { EncodedBody, Encoding } from '@site/server/encoded-body';

export type Headers = Record<string, string | string[]>;

export interface Message {
  status: number;
  headers: Headers;
  bytes: Buffer | null;
}

export interface Reply {
  status: number;
  body: EncodedBody;
  headers: Headers;
  revalidates?: boolean;
  hasRanges?: boolean;
  /** `Link` header values. */
  links?: string[];
  /** The dependencies of a response that is equal for all visitors, by which shared caches are purged. */
  keys?: readonly string[] | undefined;
  /** By encoding, for shared replies: see `kept`. */
  sent?: Map<Encoding, Message>;
}

/** For a reply that is shared by many requests: its headers are built once per encoding. */
export function kept(reply: Reply): Reply {
  return { ...reply, sent: new Map() };
}
