import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nextEvent } from '@site/server/testing/wait-for';
import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { createEdgeClient, completed, readServerSentEvents } from './registry-client.ts';

test.each([
  [
    JSON.stringify({
      errors: [{ code: 'token_invalid', detail: 'The token is not valid: ask for a new one.' }],
    }),
    'The registry answers /v1/channels/production with 401: The token is not valid: ask for a new one. (token_invalid)',
  ],
  ['<h1>Sign in</h1>', 'The registry answers /v1/channels/production with 401: <h1>Sign in</h1>'],
])('an error response has a reason: %s', async (body, message) => {
  const server = createServer((_request, response) => response.writeHead(401).end(body)).listen(
    0,
    '127.0.0.1',
  );
  await nextEvent(server, 'listening');
  const client = createEdgeClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'a token');
  await expect(client.channelState('production', new AbortController().signal)).rejects.toMatchObject({
    message,
    status: 401,
  });
  server.close();
});

test('a stream of events that falls silent ends with an error; comments keep it open', async () => {
  let comments = 5;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'id: 1\nevent: state\ndata: {"channel":"production","live":null,"canaries":[],"revoked":[]}\n\n',
    );
    const timer = setInterval(() => {
      comments -= 1;
      if (comments > 0) response.write(': here\n\n');
      else clearInterval(timer);
    }, 100);
  }).listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createEdgeClient(`http://127.0.0.1:${port}`, 'a token', { silentMs: 400 });
  const states: unknown[] = [];
  const following = (async () => {
    for await (const { state } of client.channelEvents('production', new AbortController().signal)) {
      states.push(state);
    }
  })();
  try {
    await expect(following).rejects.toThrow('The registry sent nothing for 400 ms.');
    expect([states.length, comments]).toEqual([1, 0]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const store = createMemoryStore();
const known = createSampleRelease(store, { id: 'r1' });
const next = createSampleRelease(store, {
  id: 'r2',
  editions: { 'mfe-blocks': 'two' },
  lastGoodSource: known,
});
/** As a registry sends it to an edge that has the first one. */
const sent = {
  ...next,
  manifests: Object.fromEntries(
    Object.entries(next.manifests).filter(([name]) => !(name in known.manifests)),
  ),
  besides: 'r1',
};

test('omitted parts come from the local document and are shared with it', () => {
  const whole = completed(sent, known);
  expect(Object.keys(sent.manifests)).toHaveLength(1);
  expect(whole).toEqual(next);
  const name = `mfe-policies@${known.release.apps['mfe-policies']}`;
  expect(whole?.manifests[name]).toBe(known.manifests[name]);
});

test('a complete document from a registry that omits nothing stays as it is', () => {
  expect(completed(next, known)).toEqual(next);
  expect(completed(next, null)).toEqual(next);
});

test('is rejected if the local document is another release or lacks an omitted part', () => {
  expect(completed(sent, null)).toBeNull();
  expect(completed(sent, { ...known, release: { ...known.release, id: 'r7' } })).toBeNull();
  expect(completed(sent, { ...known, manifests: {} })).toBeNull();
});

test('pages of versions that are live in both come from the local document, but only if the response says so', () => {
  const { '/blocks': one = {}, '/blocks/auth': two = {} } = next.rendered;
  const fewer = { ...sent, rendered: { '/blocks': one, '/blocks/auth': two } };
  expect(completed({ ...fewer, besidesPages: true }, known)).toEqual(next);
  expect(completed(fewer, known)?.rendered).toEqual(fewer.rendered);
  // A page that exists only in the local version.
  const less = { ...fewer, rendered: { '/blocks': one }, besidesPages: true };
  expect(Object.keys(completed(less, known)?.rendered ?? {})).not.toContain('/blocks/auth');
});

test('file packs come from the same document as the manifests; page packs belong to the release', () => {
  const names = Object.keys(next.manifests);
  const samplePack = (name: string) => `pack of ${name}`;
  const listFiles = (some: string[]) => Object.fromEntries(some.map((name) => [name, samplePack(name)]));
  const pages = { 'mfe-blocks': ['pages two'] };
  const before = { files: listFiles(Object.keys(known.manifests)), pages: { 'mfe-blocks': ['pages one'] } };
  const whole = completed(
    { ...sent, packs: { files: listFiles(Object.keys(sent.manifests)), pages } },
    { ...known, packs: before },
  );
  expect(whole?.packs).toEqual({ files: listFiles(names), pages });
  const policies = { 'mfe-policies': ['pages of policies'] };
  const here = { ...known, packs: { files: {}, pages: policies } };
  const packs = { files: {}, pages };
  expect(completed({ ...sent, packs, besidesPages: true }, here)?.packs?.pages).toEqual({
    ...pages,
    ...policies,
  });
  expect(completed({ ...sent, packs }, here)?.packs?.pages).toEqual(pages);
});

async function readEvents(...chunks: string[]) {
  const events = [];
  const stream = new Blob(chunks).stream();
  for await (const event of readServerSentEvents(stream)) events.push(event);
  return events;
}

test('yields events with names and ids, joins their lines, and drops a truncated one', async () => {
  expect(
    await readEvents(
      'id: 7\nevent: state\ndata: {"a":\ndata: 1}\n\n',
      ': comment\n\ndata: plain\n\ndata: cut',
    ),
  ).toEqual([
    { event: 'state', data: '{"a":\n1}', id: '7' },
    { event: 'message', data: 'plain', id: '' },
  ]);
});
