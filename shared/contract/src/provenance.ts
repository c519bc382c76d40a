import * as v from 'valibot';
import { onePlainLine } from './text.schema.ts';

const line = v.pipe(v.string(), v.maxLength(500), onePlainLine);

export const PlaceSchema = v.pipe(
  line,
  v.check(
    (text) => isPlace(text),
    'Give an address that begins with "https://" or "http://", without user, password, "?" and "#".',
  ),
);

function isPlace(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  );
}

/**
 * The source of a version. `verified`: all values come from the issuer of the pipeline's id token. Otherwise
 * they are claims of the publishing machine, which any token holder can forge. Null: unknown.
 */
export const ProvenanceSchema = v.object({
  verified: v.boolean(),
  repository: v.nullable(v.string()),
  commit: v.nullable(v.string()),
  ref: v.nullable(v.string()),
  run: v.nullable(v.string()),
  /** The pipeline: issuer and subject of its id token. Null unless verified. */
  issuer: v.nullable(v.string()),
  subject: v.nullable(v.string()),
});
export type Provenance = v.InferOutput<typeof ProvenanceSchema>;

export const provenanceHeaders = {
  'provenance-repository': v.optional(PlaceSchema),
  'provenance-run': v.optional(PlaceSchema),
};

export interface FromSomewhere {
  provenance?: Provenance | null | undefined;
  /** The build's claim. */
  commit?: string | null | undefined;
}

/** `github.com/acme/careers@1a2b3c4d5e6f (verified)`; `–` if unknown. */
export function provenanceText({ provenance, commit: built = null }: FromSomewhere): string {
  const { repository = null, commit = built, verified = false } = provenance ?? {};
  const from = repository?.replace(/^https?:\/\//, '') ?? '';
  const at = commit === null ? '' : `${from === '' ? '' : '@'}${commit.slice(0, 12)}`;
  if (from + at === '' && !verified) return '–';
  return `${from + at || 'a pipeline'} (${verified ? 'verified' : 'claimed'})`;
}
