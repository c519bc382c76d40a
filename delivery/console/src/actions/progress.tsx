import type { ChannelAnswer } from '@site/contract';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { Badge } from '@site/ui/badge';
import { LiveRegion } from '@site/ui/notice';
import { useEffect, useState } from 'react';
import { errorMessage } from '../data/call-error.ts';
import { useConsole } from '../data/use-console.ts';
import { Ago } from '../parts/ago.tsx';
import styles from './progress.module.css';

type Edge = ChannelAnswer['edges'][number];

const LOOK_EVERY_MS = 250;

interface Seen {
  edges: readonly Edge[] | null;
  followed: Readonly<Record<string, number>>;
  problem: string | null;
}

export function Progress({ goal, startedAt }: { goal: EdgeGoal; startedAt: number }) {
  const { edges: seen, followed, problem } = useArrival(goal, startedAt);
  const edges = seen ?? [];
  const waiting = edges.filter(({ id, alive }) => alive && followed[id] === undefined);
  const alive = edges.filter((edge) => edge.alive).length;
  const last = Math.max(0, ...Object.values(followed));
  const isOver = seen !== null && waiting.length === 0;
  return (
    <section className={styles.progress} aria-label="Edges">
      <LiveRegion>
        {isOver ? (
          <p className={styles.over}>
            {alive === 0
              ? 'No edge has reported recently, so none serves it yet.'
              : `Every responding edge (${alive}) serves it after ${seconds(last)}.`}
          </p>
        ) : (
          <p>Waiting for the edges …</p>
        )}
        {problem !== null && (
          <p>The registry does not respond. The change is made, and the edges keep following.</p>
        )}
      </LiveRegion>
      <ul className={styles.edges}>
        {edges.map(({ id, alive: answers, release, seenAt }) => (
          <li key={id}>
            <span className={styles.name}>{id}</span>
            {followed[id] !== undefined ? (
              <span>
                <Badge tone="blue">serves it</Badge> <span>{`after ${seconds(followed[id])}`}</span>
              </span>
            ) : answers ? (
              <span>
                <Badge>not yet</Badge> <span>{release ?? 'nothing'}</span>
              </span>
            ) : (
              <span>
                <Badge tone="signal">silent</Badge> last report <Ago at={seenAt} />, it served{' '}
                <span>{release ?? 'nothing'}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function useArrival(goal: EdgeGoal, startedAt: number): Seen {
  const { ask, channel } = useConsole();
  const [seen, setSeen] = useState<Seen>({ edges: null, followed: {}, problem: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let followed: Record<string, number> = {};
    const look = async () => {
      try {
        const { edges, state } = await ask('readChannel', { params: { channel } });
        const ms = performance.now() - startedAt;
        const arrived = edges.filter((edge) => goal(edge, state) && followed[edge.id] === undefined);
        followed = { ...followed, ...Object.fromEntries(arrived.map(({ id }) => [id, ms])) };
        if (!isGone) setSeen({ edges, followed, problem: null });
        if (edges.every(({ id, alive }) => !alive || followed[id] !== undefined)) return;
      } catch (error) {
        if (!isGone) setSeen((before) => ({ ...before, problem: errorMessage(error) }));
      }
      if (!isGone) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [ask, channel, goal, startedAt]);
  return seen;
}
