import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isStale } from '@site/build/stale';
import { StartError } from '@site/server/start-error';
import { consoleFolder, root } from './paths.ts';

/** The message is the compiler's. */
export class StaleBuildError extends StartError {
  override readonly name = 'StaleBuildError';
}

/**
 * Builds changed apps, a few at a time, each in its own process. @throws StaleBuildError with every app that did not
 * compile; the others are still built. Or the reason of `stopping`.
 */
export async function buildStale(
  apps: string[],
  log: (line: string) => void,
  stopping?: AbortSignal,
): Promise<void> {
  const queue: string[] = [];
  for (const app of apps) {
    stopping?.throwIfAborted();
    // A package has builds without sources.
    if (existsSync(join(root, app, 'src')) && (await isStale(join(root, app)))) queue.push(app);
  }
  const failures: string[] = [];
  async function work() {
    for (let app = queue.shift(); app && !stopping?.aborted; app = queue.shift()) {
      const startedAt = performance.now();
      try {
        const version = await build(app, stopping);
        log(`built ${version} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  stopping?.throwIfAborted();
  if (failures.length > 0) throw new StaleBuildError(failures.join('\n\n'));
}

function build(app: string, signal: AbortSignal | undefined): Promise<string> {
  const program = app === consoleFolder ? 'site-build-console' : 'site-build';
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(root, `shared/build/bin/${program}.mjs`)],
      { cwd: join(root, app), maxBuffer: 64 * 1024 * 1024, signal },
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim() || error.message, { cause: error }));
        else resolve(stdout.trim());
      },
    );
  });
}
