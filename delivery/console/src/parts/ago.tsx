import { timeText } from '@site/contract/text';
import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;

function tick(listener: () => void): () => void {
  const ticking = setInterval(listener, TICK_MS);
  return () => {
    clearInterval(ticking);
  };
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

export function Ago({ at }: { at: string }) {
  const now = useSyncExternalStore(tick, () => Math.floor(Date.now() / TICK_MS) * TICK_MS);
  return (
    <time dateTime={at} title={timeText(at)}>
      {agoText(now - Date.parse(at))}
    </time>
  );
}

function agoText(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit) ?? [];
  return size === undefined ? 'just now' : `${Math.floor(ms / size)} ${name} ago`;
}

export function At({ at }: { at: string }) {
  return <time dateTime={at}>{timeText(at)}</time>;
}
