import { openDatabase, type Database } from '@site/server/open-database';
import type { ChannelState } from '@site/contract';
import { createHarness, type Harness } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';

let database: Database;
let registry: Harness;
let url: string;
beforeAll(async () => {
  database = await openDatabase({ memory: true });
}, 30_000);
afterAll(() => database.close());
beforeEach(async () => {
  registry = await createHarness(database);
  url = await registry.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => registry.stop());

/** Follows a channel over a real connection. */
async function* follow(channel = 'production'): AsyncGenerator<ChannelState> {
  const response = await fetch(`${url}/v1/channels/${channel}/events`, {
    headers: { authorization: `Bearer ${registry.tokens.read}` },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, data] = /^event: state\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as ChannelState;
    }
  }
}

test('tells the state at once and after every change', async () => {
  const states = follow();
  expect((await states.next()).value).toMatchObject({ stable: null });
  await registry.startSite();
  expect((await states.next()).value).toMatchObject({ stable: 'r1', revoked: [] });
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(next);
  await registry.activate({ 'mfe-blocks': next.version });
  expect((await states.next()).value).toMatchObject({ stable: 'r2' });
  await registry.rollBack({ app: 'mfe-blocks' });
  expect((await states.next()).value).toMatchObject({ stable: 'r3', revoked: ['r2'] });
});

test('tells of a canary, of its share, of its way onto another release, and of its end', async () => {
  await registry.startSite();
  const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  const partners = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
  for (const manifest of [blocks, partners]) await registry.publish(manifest);
  const states = follow();
  const next = async () => ((await states.next()).value as ChannelState).candidate;
  expect(await next()).toBeNull();
  const post = (path: string, body: object) =>
    registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
  await registry.activate({ 'mfe-blocks': blocks.version }, { share: 10 });
  expect(await next()).toEqual({ release: 'r2', share: 10 });
  await post('candidate', { share: 50 });
  expect(await next()).toEqual({ release: 'r2', share: 50 });
  await registry.activate({ 'mfe-partners': partners.version });
  expect(await next()).toEqual({ release: 'r4', share: 50 });
  await post('aborts', {});
  expect((await states.next()).value).toMatchObject({ candidate: null, stable: 'r3', revoked: ['r2', 'r4'] });
});

test('ends every stream when the registry stops, so that stopping does not wait for them', async () => {
  const states = follow();
  await states.next();
  await registry.app.close();
  expect((await states.next()).done).toBe(true);
});

test('a follower of another channel hears nothing of this one', async () => {
  const staging = follow('staging');
  const production = follow();
  expect((await staging.next()).value).toMatchObject({ channel: 'staging' });
  await production.next();
  await registry.startSite();
  await production.next();
  const next = staging.next();
  await registry.app.close();
  expect((await next).done).toBe(true);
});

test('an unknown channel and a missing token are answered as errors, not as a stream', async () => {
  const headers = { authorization: `Bearer ${registry.tokens.read}` };
  expect((await fetch(`${url}/v1/channels/preview/events`, { headers })).status).toBe(404);
  expect((await fetch(`${url}/v1/channels/production/events`)).status).toBe(401);
});
