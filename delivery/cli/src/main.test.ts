import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextEvent } from '@site/server/testing/wait-for';

let server: Server;
let asked: Promise<unknown>;
const script = join(import.meta.dirname, '../bin/site.mjs');
beforeEach(async () => {
  server = createServer();
  asked = nextEvent(server, 'request');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a command cleanly, with the next step', async (signal) => {
  const { port } = server.address() as AddressInfo;
  const site = spawn(process.execPath, [script, 'freeze', '--reason', 'a test', '--key', 'run-1'], {
    env: { ...process.env, SITE_REGISTRY: `http://127.0.0.1:${port}`, SITE_TOKEN: 'site_x' },
  });
  let written = '';
  site.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await asked;
  site.kill(signal);
  expect(await nextEvent(site, 'close')).toEqual([130, null]);
  expect(written).toMatch(
    /^site: Stopped while the registry was working\. .*--key run-1.*\(interrupted\)\n$/,
  );
});

function start(...args: string[]): ChildProcessWithoutNullStreams {
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, SITE_REGISTRY: `http://127.0.0.1:${port}`, SITE_TOKEN: 'site_x' };
  return spawn(process.execPath, [script, ...args], { env });
}

const run = (...args: string[]) => toEnd(start(...args));

async function toEnd(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  const [code] = (await nextEvent(child, 'close')) as [number];
  return { code, ...written };
}

describe('the compile cache', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'site-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const version = (env: NodeJS.ProcessEnv) =>
    toEnd(spawn(process.execPath, [script, '--version'], { cwd: home, env }));
  const fine = { code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, err: '' };

  test.each([
    { where: 'the home folder', env: () => ({ HOME: home }), kept: '.cache/site' },
    { where: 'the folder for caches', env: () => ({ HOME: '/none', XDG_CACHE_HOME: home }), kept: 'site' },
    { where: 'no relative folder', env: () => ({ HOME: home, XDG_CACHE_HOME: 'here' }), kept: '.cache/site' },
  ])('is in $where', async ({ env, kept }) => {
    expect(await version(env())).toEqual(fine);
    expect(await readdir(home)).toEqual([kept.split('/')[0]]);
    expect(await readdir(join(home, kept))).toHaveLength(1);
  });

  test('is skipped if the folder does not exist and cannot be made', async () => {
    expect(await version({})).toEqual(fine);
    const file = join(home, 'file');
    await writeFile(file, '');
    expect(await version({ HOME: file })).toEqual(fine);
    expect(await readdir(home)).toEqual(['file']);
  });
});

const answer = (status: number, body: object) =>
  server.on('request', (_request, response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );

describe('foreign text', () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\rall is well\u202e\nr9 is live on production';
  const event = {
    sequence: 7,
    at: '2026-01-01T00:00:00.000Z',
    by: hostile,
    action: 'release.activate',
    subject: hostile,
    details: { reason: hostile },
    hash: 'a'.repeat(64),
  };
  /** Moves a cursor or changes a color or direction, or starts its own line. */
  const obeyed = /(?![\n])[\p{Cc}\p{Cf}]|^r9 is live/mu;

  test('reaches the terminal escaped: in tables', async () => {
    answer(200, { events: [event] });
    const { code, out, err } = await run('audit');
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toMatch(obeyed);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).toContain('\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u000dall is well\\u202e\\nr9 is live');
  });

  test("reaches the terminal escaped: in a page's error that the registry passes on", async () => {
    answer(422, { errors: [{ code: 'page_does_not_render', detail: `mfe-blocks: /blocks: ${hostile}` }] });
    const { code, err } = await run('audit');
    expect(code).toBe(1);
    expect(err).not.toMatch(obeyed);
    expect(err).toContain('\\u001b[2J');
  });

  test('reaches the terminal escaped: with --json as equivalent JSON', async () => {
    answer(200, { events: [event] });
    const { out } = await run('audit', '--json');
    expect(out).not.toMatch(obeyed);
    expect(JSON.parse(out)).toEqual({ events: [event] });
  });

  test('reaches the terminal escaped: with --json in an error', async () => {
    const error = { code: 'page_does_not_render', detail: hostile };
    answer(422, { errors: [error] });
    const { err } = await run('audit', '--json');
    expect(err).not.toMatch(obeyed);
    expect(JSON.parse(err)).toEqual({ error: { code: error.code, message: error.detail } });
  });
});

test("a closed pipe (`| head -1`) is not an error: no stack trace, and the command's exit code", async () => {
  const event = {
    sequence: 7,
    at: '2026-01-01T00:00:00.000Z',
    by: 'x',
    action: 'x',
    subject: 'x',
    details: {},
    hash: 'a',
    previousHash: 'b',
  };
  answer(200, { events: Array.from({ length: 200 }, () => ({ ...event, by: 'y'.repeat(10_000) })) });
  const child = start('audit', '--limit', '200');
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await nextEvent(child, 'close')).toEqual([0, null]);
  expect(err).toBe('');
});

test("a change whose output is not read is still completed, with the command's exit code", async () => {
  const asked: string[] = [];
  server.on('request', ({ method, url }: IncomingMessage) => asked.push(`${method} ${url}`));
  answer(200, { changed: true, freezes: [] });
  const child = start('freeze', '--reason', 'a test');
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.destroy();
  expect(await nextEvent(child, 'close')).toEqual([0, null]);
  expect(err).toBe('');
  expect(asked).toContainEqual(expect.stringMatching(/^(POST|PUT) /));
});
