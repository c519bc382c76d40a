import { classes } from '@site/ui/classes';
import styles from './version.module.css';
import { Badge } from '@site/ui/badge';
import { provenanceText, type FromSomewhere } from '@site/contract/provenance';

export function Version({ of, className }: { of: string | null; className?: string }) {
  return <code className={classes(styles.version, className)}>{of ?? 'none'}</code>;
}

const tones = { good: 'blue', bad: 'signal', waiting: 'neutral' } as const;
const words = { good: 'Good', bad: 'Bad', waiting: 'Watching' } as const;

export function Verdict({ of }: { of: 'good' | 'bad' | 'waiting' | null | undefined }) {
  return of ? <Badge tone={tones[of]}>{words[of]}</Badge> : null;
}

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
