import { Badge } from '@site/ui/badge';

const tones = { good: 'blue', bad: 'signal', waiting: 'neutral' } as const;
const words = { good: 'Good', bad: 'Bad', waiting: 'Watching' } as const;

/** The guard's verdict on a version. Renders nothing if it is not watched. */
export function Verdict({ of }: { of: 'good' | 'bad' | 'waiting' | null | undefined }) {
  return of ? <Badge tone={tones[of]}>{words[of]}</Badge> : null;
}
