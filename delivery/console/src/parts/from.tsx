import { provenanceText, type FromSomewhere } from '@site/contract/provenance';

/** Where a version comes from. Only what an issuer has said becomes a link: a publisher can claim any address. */
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
