import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';
import { endWithThisProcess } from '@site/server/testing/let-go';
import { repository } from './site.ts';

/** `npm run dev -w <remote>` in a separate process. */
export interface DevServer {
  url: string;
  /** The output so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Serves a remote of a checkout from source, and everything else from a running site. Resolves when it is ready.
 * @throws Error with its output if it exits before.
 */
export function startDevServer(root: string, remote: string, siteUrl: string): Promise<DevServer> {
  const bin = join(root, 'shared/build/bin/site-dev.mjs');
  return startDevServerIn(join(root, remote), bin, { ...process.env, NODE_ENV: '', SITE_URL: siteUrl });
}

/** The same for a remote in any folder. @param bin its `site-dev`. @param env with `SITE_URL`. */
export async function startDevServerIn(
  folder: string,
  bin: string,
  env: NodeJS.ProcessEnv,
): Promise<DevServer> {
  const port = await freePorts();
  const child = spawn(join(repository, 'node_modules/.bin/node'), [bin], {
    cwd: folder,
    env: { ...env, DEV_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child, 'SIGTERM');
  let output = '';
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/^ready: /m.test(output)) resolve();
      });
    }
    void ended.then(() => reject(new Error(`The dev server ended:\n${output}`)));
  });
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
