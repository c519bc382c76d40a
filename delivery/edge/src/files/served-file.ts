import type { EncodedBody } from '@site/server/encoded-body';

export interface ServedFile {
  contentType: string;
  body: EncodedBody;
}

/** A file under `/assets/`. */
export interface Asset extends ServedFile {
  integrity: string;
  /** See `Reply.keys`: the versions of the release that have this file. */
  keys?: readonly string[];
}
