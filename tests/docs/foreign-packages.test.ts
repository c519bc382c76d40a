import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { documents, filesIn, readText } from './read-documents.ts';

/** Outside of an installed checkout npm downloads and runs the packages that it does not find. */
let folder: string;
let registry: Server;
let requested: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-npx-'));
  requested = [];
  registry = createServer((request, response) => {
    requested.push(decodeURIComponent(request.url ?? ''));
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => registry.close(resolve));
  await rm(folder, { recursive: true });
});

/** Every command that may download a program, from documents, messages and templates. */
function documentedCommands(): Set<string> {
  const files = ['delivery', 'shared', 'services', 'deploy', '.changeset'].flatMap(filesIn);
  const texts = [...documents, ...files.filter((path) => /(?<!\.test)\.(md|tsx?|mjs|yml)$/.test(path))].map(
    readText,
  );
  return new Set(
    texts.flatMap(
      (text) => text.match(/\b(npx|npm exec|npm create) (--?[a-z-]+ )*@?[a-z][a-z0-9./-]*/g) ?? [],
    ),
  );
}

test('documented commands start no foreign program in an empty folder', async () => {
  const commands = documentedCommands();
  expect(commands).toContain('npx @site/cli');
  const { port } = registry.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_yes: 'true',
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
  };
  for (const command of commands) {
    requested.length = 0;
    const [program = '', ...args] = command.split(' ');
    const failed = promisify(execFile)(program, args, { cwd: folder, env }).catch(String);
    expect({ command, failed: await failed }).toMatchObject({
      failed: expect.stringMatching(/E404|canceled/) as string,
    });
    // Without consent npm reads a package's name, and starts nothing.
    const foreign = args.includes('--no') ? [] : requested.filter((path) => !path.startsWith('/@site/'));
    expect({ command, foreign }).toEqual({ command, foreign: [] });
  }
});

test('the command line is the only program of its scoped package', () => {
  const { name, bin } = JSON.parse(readText('delivery/cli/package.json')) as {
    name: string;
    bin: object;
  };
  expect([name, Object.keys(bin)]).toEqual(['@site/cli', ['site']]);
});
