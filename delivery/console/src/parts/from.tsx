import { provenanceText, type FromSomewhere } from '@site/contract/provenance';

/**
 * The source of a version. Only values confirmed by an issuer become links, because a publisher can claim any
 * URL.
 */
export function From({ of: version }: { of: FromSomewhere }) {
  const text = provenanceText(version);
  const { provenance } = version;
  if (!provenance?.verified || provenance.run === null) return text;
  return (
    <a href={provenance.run} rel="noreferrer">
      {text}
    </a>
  );
}
