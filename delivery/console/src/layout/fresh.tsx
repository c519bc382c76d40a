import { timeText } from '@site/contract/text';
import { LiveRegion } from '@site/ui/notice';
import { useFreshness } from '../data/use-console.ts';
import styles from './fresh.module.css';

export function Fresh() {
  const freshness = useFreshness();
  return (
    <LiveRegion className={freshness.mode === 'lost' ? styles.lost : styles.fresh}>
      {freshness.mode === 'told' && 'Live'}
      {freshness.mode === 'asking' && 'Checking every 5 s'}
      {freshness.mode === 'lost' &&
        `No response since ${timeText(new Date(freshness.since))}. This data may be stale.`}
    </LiveRegion>
  );
}
