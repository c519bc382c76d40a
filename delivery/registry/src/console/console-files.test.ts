import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { consoleFiles } from './console-files.ts';

const files = {
  'index.html': '<!doctype html><script src="/console/main.0123456789ab.js" defer></script>',
  'main.0123456789ab.js': `console.log(${JSON.stringify('x'.repeat(2_000))});`,
  'manifest.webmanifest': '{}',
  'notes.txt': 'not for browsers',
};

let dir: string;
let app: FastifyInstance;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'console-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  app = fastify();
  consoleFiles(app, dir);
});
afterEach(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url: `/console${path}`, headers });

test.each(['', '/', '/now', '/apps/mfe-blocks/1.0.0-3f2a9c01b7de', '/timeline?before=r12', '/a/b/c'])(
  'the console opens at "%s", and its page is not cacheable',
  async (path) => {
    const { statusCode, body, headers } = await get(path);
    expect([statusCode, body, headers['cache-control']]).toEqual([200, files['index.html'], 'no-store']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  },
);

test.each(['', '/now', '/main.0123456789ab.js', '/manifest.webmanifest'])(
  'responses below "/console%s" allow nothing inline, nothing from other origins and no framing',
  async (path) => {
    const { headers } = await get(path);
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'console',
    });
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  },
);

test('content-hashed files are cached forever, others are not', async () => {
  expect((await get('/main.0123456789ab.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
  expect((await get('/manifest.webmanifest')).headers['cache-control']).toBe('no-store');
});

test('files are compressed according to Accept-Encoding', async () => {
  const script = files['main.0123456789ab.js'];
  const br = await get('/main.0123456789ab.js', { 'accept-encoding': 'gzip, br' });
  const gzip = await get('/main.0123456789ab.js', { 'accept-encoding': 'gzip' });
  const plain = await get('/main.0123456789ab.js');
  expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual([
    'br',
    'gzip',
    undefined,
  ]);
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script);
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(script);
  expect([plain.body, plain.headers['vary']]).toEqual([script, 'accept-encoding']);
});

test.each([
  '/old.ba9876543210.js',
  '/../package.json',
  '/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/a/../../package.json',
  '/constructor.js',
])('a missing file is not found: "%s" is neither a page nor a file outside the folder', async (path) => {
  expect((await get(path)).statusCode).toBe(404);
});

test('files in the folder that are not part of the console are not served', async () => {
  expect((await get('/notes.txt')).body).toBe(files['index.html']);
});

test('without a build, the error explains how to build it, and no restart is needed afterwards', async () => {
  await rm(join(dir, 'index.html'));
  const { statusCode, body } = await get('');
  expect([statusCode, body.includes('npm run build')]).toEqual([404, true]);
  await writeFile(join(dir, 'index.html'), 'built');
  expect((await get('')).body).toBe('built');
});
