import type { EncodedBody } from '../files/body.ts';

export type Headers = Record<string, string | string[]>;

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
}
