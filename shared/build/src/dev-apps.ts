import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { App } from './app.ts';
import { ownModule } from './own-module.ts';
import type { LoadedApp } from './dev-load-app.ts';
import { watchTree } from './watch-tree.ts';

/** Debounce, because editors write in several steps. */
const QUIET_MS = 100;

export interface AppWatch {
  close(): void;
}

/**
 * Watches apps' declarations: `remote.config.ts` or `shell.config.ts`, their imports, and `package.json`.
 * @param onChange gets all apps in their current state.
 * @param onProblems gets the errors in their configurations; empty when they are fixed.
 */
export function watchApps(
  apps: readonly App[],
  onChange: (apps: App[]) => void,
  onProblems: (problems: string[]) => void,
): AppWatch {
  let known = JSON.stringify(apps);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let reads = 0;

  async function read(): Promise<void> {
    const mine = (reads += 1);
    const loaded = await Promise.all(apps.map(({ folder }) => loadAnew(folder)));
    // A later read is pending and gets the current state.
    if (closed || mine !== reads) return;
    const problems = loaded.flatMap((result) => ('problem' in result ? [result.problem] : []));
    onProblems(problems);
    if (problems.length > 0) return;
    const current = loaded.flatMap((result) => ('app' in result ? [result.app] : []));
    if (JSON.stringify(current) === known) return;
    known = JSON.stringify(current);
    onChange(current);
  }

  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      read().catch((error: unknown) => onProblems([String(error)]));
    }, QUIET_MS);
  };
  const watchers = apps.flatMap(({ folder }) => [
    watch(folder, (_event, file) => {
      if (!/^(node_modules$|dist$|dist\.\d)/.test(file ?? '')) look();
    }),
    // A configuration may import the texts of pages.
    watchTree(join(folder, 'src'), look),
  ]);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

export async function loadAnew(folder: string): Promise<LoadedApp> {
  const worker = new Worker(ownModule('dev-load-app'), { workerData: folder });
  const exit = once(worker, 'exit').then(() => null);
  try {
    const answer = (await Promise.race([once(worker, 'message'), exit])) as [LoadedApp] | null;
    return answer?.[0] ?? { problem: `The configuration in ${folder} exits the process that reads it.` };
  } finally {
    // A configuration may have started timers.
    await worker.terminate();
  }
}
