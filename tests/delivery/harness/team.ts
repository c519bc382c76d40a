import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithThisProcess } from '@site/server/testing/let-go';
import type { Ran } from '@site/cli/testing/run-here';
import type { Cluster } from './cluster.ts';
import type { SampleVersion } from './sample-apps.ts';
import { writeBuild } from './write-build.ts';

/** A team with its own process and repository, and a token for its apps only. */
export interface Team {
  build(version: SampleVersion): Promise<void>;
  /** Runs `npx @site/cli publish` and `npx @site/cli activate`. @returns the result of the last command. */
  release(app: string): Promise<Ran>;
  stop(): Promise<void>;
}

export async function startTeam(cluster: Cluster, ...apps: string[]): Promise<Team> {
  const checkout = await mkdtemp(join(tmpdir(), 'site-team-'));
  const { status, body } = await cluster.ask<{ token: string }>('POST', '/v1/tokens', {
    body: {
      name: `team of ${apps.join(' and ')}`,
      scopes: apps.flatMap((app) => [`publish:${app}`, `activate:${app}`]),
    },
  });
  if (status !== 201) throw new Error(`No token for ${apps.join()}: ${status}`);
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'tests/delivery/harness/run-team.ts'), checkout],
    {
      env: {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PATH: process.env['PATH'],
        SITE_REGISTRY: cluster.registry.url,
        SITE_TOKEN: body.token,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  endWithThisProcess(child);
  const ended = once(child, 'exit');
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();

  return {
    build: (version) => writeBuild(checkout, version),
    async release(app) {
      child.stdin.write(`${app}\n`);
      const { value } = await answers.next();
      if (value === undefined) throw new Error(`The process of ${app} has ended.`);
      return JSON.parse(value) as Ran;
    },
    async stop() {
      child.stdin.end();
      await ended;
      await rm(checkout, { recursive: true, force: true });
    },
  };
}
