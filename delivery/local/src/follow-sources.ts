import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watchTree } from '@site/build/watch-tree';

export interface FollowSourcesOptions {
  what: string;
  /** The module notifies its parent when ready, and ends on SIGTERM. */
  module: string;
  folders: readonly string[];
  log(line: string): void;
}

/** Debounce: editors write in several steps, and switching branches changes many files. */
const QUIET_MS = 150;

/**
 * After a change the old process ends before the next one starts. A failed start is retried with the next change.
 * @returns when the first one is ready or has failed.
 */
export async function followSources({
  what,
  module,
  folders,
  log,
}: FollowSourcesOptions): Promise<{ close(): Promise<void> }> {
  let running: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closing = false;
  /** Serializes restarts. */
  let turn = Promise.resolve();

  async function start(): Promise<void> {
    const child = fork(module);
    let isReady = false;
    const ended = once(child, 'exit').then(([code]) => {
      if (running === child) running = undefined;
      if (closing || code === 0) return;
      const happened = isReady ? 'ended unexpectedly' : 'failed to start';
      log(`${what} ${happened}: see above. The next source change restarts it.`);
    });
    running = child;
    await Promise.race([once(child, 'message').then(() => (isReady = true)), ended]);
  }

  async function stop(): Promise<void> {
    const child = running;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async function exchange(): Promise<void> {
    if (closing) return;
    log(`${what}: a source has changed`);
    await stop();
    await start();
    if (running) log(`${what}: started again`);
  }

  const watchers = folders.map((folder) =>
    watchTree(folder, (file) => {
      if (/\.test\.tsx?$/.test(file ?? '')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        turn = turn.then(exchange);
      }, QUIET_MS);
    }),
  );
  await start();
  return {
    async close() {
      closing = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      await turn;
      await stop();
    },
  };
}
