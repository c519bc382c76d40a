import * as v from 'valibot';
import { onePlainLine } from './text.schema.ts';

const line = v.pipe(v.string(), v.maxLength(500), onePlainLine);

/** The address of a page: of a repository, or of a run of a pipeline. Never with a user, a password or a query. */
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
 * Where a version comes from. `verified`: all of it was said by the issuer of the pipeline's id token. Otherwise it is what
 * the machine said that published it, and anybody with a token may have said anything. Null: that is not known.
 */
export const ProvenanceSchema = v.object({
  verified: v.boolean(),
  repository: v.nullable(v.string()),
  commit: v.nullable(v.string()),
  /** The branch or tag, such as `refs/heads/main`; of what is verified only. */
  ref: v.nullable(v.string()),
  /** The page of the pipeline's run. */
  run: v.nullable(v.string()),
  /** Who the pipeline is: the issuer of its id token, and the subject. Null unless verified. */
  issuer: v.nullable(v.string()),
  subject: v.nullable(v.string()),
});
export type Provenance = v.InferOutput<typeof ProvenanceSchema>;

/** What a publisher may say about a version. The commit is in the manifest. */
export const provenanceHeaders = {
  'provenance-repository': v.optional(PlaceSchema),
  'provenance-run': v.optional(PlaceSchema),
};

/** A version, as far as that tells where it comes from. */
export interface FromSomewhere {
  provenance?: Provenance | null | undefined;
  /** What the build said; all that is known of what former registries recorded. */
  commit?: string | null | undefined;
}

/** `github.com/acme/careers@1a2b3c4d5e6f (verified)`; `–` where nothing is known. */
export function provenanceText({ provenance, commit: built = null }: FromSomewhere): string {
  const { repository = null, commit = built, verified = false } = provenance ?? {};
  const from = repository?.replace(/^https?:\/\//, '') ?? '';
  const at = commit === null ? '' : `${from === '' ? '' : '@'}${commit.slice(0, 12)}`;
  if (from + at === '' && !verified) return '–';
  return `${from + at || 'a pipeline'} (${verified ? 'verified' : 'claimed'})`;
}
