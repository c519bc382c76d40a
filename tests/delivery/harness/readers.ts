import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { checkPage, noPage, type CheckedPage } from './page-check.ts';

const READERS = 4;
/** Between page views: without a pause, readers would starve the registry and the edges of CPU time. */
const PAUSE_MS = 10;
/** The pause while nothing changes. */
const LONG_PAUSE_MS = 100;

/** Visitors who open pages continuously, each part of a page from another address. */
export interface Readers {
  pages: readonly CheckedPage[];
  problems(): string[];
  /** Whether the live release is changing. If not, versions cannot mix, and the readers slow down. */
  hurry(isChanging: boolean): void;
  /** Waits until a reader has seen an edition. @throws Error on timeout. */
  isSeen(edition: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param pauseMs between page views, while the live release is changing. */
export function startReaders(
  { addresses }: Pick<Cluster, 'addresses'>,
  paths: readonly string[],
  pauseMs = PAUSE_MS,
): Readers {
  const pages: CheckedPage[] = [];
  let isOver = false;
  let isChanging = false;
  let opened = 0;
  let turn = 0;
  const fetchFrom = (path: string) => fetch(addresses[(turn += 1) % addresses.length]! + path);
  const reading = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      const path = paths[(opened += 1) % paths.length]!;
      const page = await checkPage(fetchFrom, path).catch((error: unknown) =>
        noPage(`${path}: ${String((error as Error).cause ?? error)}`),
      );
      pages.push(page);
      await sleep(isChanging ? pauseMs : LONG_PAUSE_MS);
    }
  });
  const problems = () => pages.flatMap((page) => page.problems);

  return {
    pages,
    problems,
    hurry(changing) {
      isChanging = changing;
    },
    async isSeen(edition) {
      const deadline = performance.now() + 60_000;
      while (!pages.some((page) => page.edition === edition) && problems().length === 0) {
        if (performance.now() > deadline) throw new Error(`No reader saw "${edition}".`);
        await sleep(5);
      }
    },
    async stop() {
      isOver = true;
      await Promise.all(reading);
    },
  };
}
