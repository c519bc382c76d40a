import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterEdge } from './cluster.ts';
import { checkPage } from './page-check.ts';

/** Visitors who open a page of each edge with all its files, again and again. */
export interface SiteWatch {
  /** Ends it. @returns what was missing or of another edition than the rest of the page, and how many pages were whole. */
  stop(): Promise<{ failures: string[]; answered: number }>;
}

export function watchSite(edges: readonly ClusterEdge[], path: string): SiteWatch {
  const failures: string[] = [];
  let answered = 0;
  let isStopped = false;

  async function visit({ id, url }: ClusterEdge): Promise<void> {
    while (!isStopped) {
      try {
        const { problems } = await checkPage((target) => fetch(url + target), path);
        if (problems.length === 0) answered += 1;
        failures.push(...problems.map((problem) => `${id}: ${problem}`));
      } catch (error) {
        failures.push(`${id}: ${String((error as Error).cause ?? error)}`);
      }
      // Visitors, not a flood: other processes of the test need the machine too.
      await sleep(100);
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
