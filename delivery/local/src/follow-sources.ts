import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watchTree } from '@site/build/watch-tree';

export interface FollowSourcesOptions {
  /** What it is called in messages: `gateway and forms`. */
  what: string;
  /** The module that the process runs. It tells its parent once it is ready, and ends by SIGTERM. */
  module: string;
  /** Of its sources. */
  folders: readonly string[];
  log(line: string): void;
}

/** An editor writes in several steps, and a branch changes many files. */
const QUIET_MS = 150;

/**
 * Runs a process for as long as this one, each time with today's sources: after a change the former one ends before the next
 * one starts. One that does not start is tried again with the next change.
 *
 * @returns once the first one is ready, or has failed.
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
  /** One exchange after the other. */
  let turn = Promise.resolve();

  async function start(): Promise<void> {
    const child = fork(module);
    let isReady = false;
    const ended = once(child, 'exit').then(([code]) => {
      if (running === child) running = undefined;
      if (closing || code === 0) return;
      const happened = isReady ? 'ended by itself' : 'did not start';
      log(`${what} ${happened}: see above. The next change of a source starts it again.`);
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
