import type { Body } from './body.ts';

/** A file, ready to be sent. */
export interface ServedFile {
  contentType: string;
  body: Body;
}

/** A file under `/assets/`. */
export interface Asset extends ServedFile {
  integrity: string;
}
