import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterEdge } from './cluster.ts';

/** Visitors who ask for a page of each edge, again and again. */
export interface SiteWatch {
  /** Ends it. @returns what was not answered with the page, and how much was. */
  stop(): Promise<{ failures: string[]; answered: number }>;
}

export function watchSite(edges: readonly ClusterEdge[], path: string): SiteWatch {
  const failures: string[] = [];
  let answered = 0;
  let isStopped = false;

  async function visit({ id, url }: ClusterEdge): Promise<void> {
    while (!isStopped) {
      try {
        const response = await fetch(url + path);
        const text = await response.text();
        if (response.status === 200 && text.includes(`<p data-app`)) answered += 1;
        else failures.push(`${id}: ${response.status}`);
      } catch (error) {
        failures.push(`${id}: ${String((error as Error).cause ?? error)}`);
      }
      // Visitors, not a flood: other processes of the test need the machine too.
      await sleep(20);
    }
  }

  const visits = Promise.all(edges.map(visit));
  return {
    async stop() {
      isStopped = true;
      await visits;
      return { failures, answered };
    },
  };
}
