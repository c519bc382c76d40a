import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { ChannelState, TokenMade, TokensAnswer } from '@site/contract';
import type { Database } from '@site/server/open-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { CHANNEL_CHANGED } from '../kernel/notices.ts';
import { createRegistryApp } from '../create-registry-app.ts';
import { createChannelEvents } from './channel-events.ts';
import { createFollowers } from '../access/followers.ts';
import { createHarness, registryTables, testAuditKey } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { arrival, nextEvent, waitFor } from '@site/server/testing/wait-for';

const registry = forEachTest(createHarness);
let url: string;
beforeEach(async () => {
  url = await registry.listen();
});

const readNext = <T>(stream: AsyncGenerator<T>) => arrival('the next event of the stream', stream.next());

async function* follow(channel = 'production'): AsyncGenerator<ChannelState> {
  for await (const { state } of followNumbered(channel)) yield state;
}

async function* followNumbered(
  channel = 'production',
  token = registry.tokens.read,
): AsyncGenerator<{ state: ChannelState; revision: number }> {
  const response = await fetch(`${url}/v1/channels/${channel}/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  let revision: number | undefined;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id, data] = /^id: (.*)\nevent: state\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      // A change while a follower starts is sent twice.
      if (data === undefined || Number(id) === revision) continue;
      revision = Number(id);
      yield { state: JSON.parse(data) as ChannelState, revision };
    }
  }
}

test('sends the state immediately and after every change', async () => {
  const states = follow();
  expect((await readNext(states)).value).toMatchObject({ live: null });
  await registry.startSite();
  expect((await readNext(states)).value).toMatchObject({ live: 'r1', revoked: [] });
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(next);
  await registry.activate({ 'mfe-blocks': next.version });
  expect((await readNext(states)).value).toMatchObject({ live: 'r2' });
  await registry.rollBack({ app: 'mfe-blocks' });
  expect((await readNext(states)).value).toMatchObject({ live: 'r3', revoked: ['r2'] });
});

test('sends a canary, its share, a release of another app, and its end', async () => {
  await registry.startSite();
  const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  const partners = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
  for (const manifest of [blocks, partners]) await registry.publish(manifest);
  const states = follow();
  const next = async () => ((await readNext(states)).value as ChannelState).canaries;
  expect(await next()).toEqual([]);
  const post = (path: string, body: object) =>
    registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
  await registry.activate({ 'mfe-blocks': blocks.version }, { share: 10 });
  expect(await next()).toEqual([{ release: 'r2', app: 'mfe-blocks', share: 10 }]);
  await post('canary', { share: 50 });
  expect(await next()).toEqual([{ release: 'r2', app: 'mfe-blocks', share: 50 }]);
  await registry.activate({ 'mfe-partners': partners.version });
  expect(await next()).toEqual([{ release: 'r2', app: 'mfe-blocks', share: 50 }]);
  await post('aborts', {});
  expect((await readNext(states)).value).toMatchObject({ canaries: [], live: 'r3', revoked: ['r2'] });
});

test('a state that was read before another one is never sent after it', async () => {
  await registry.startSite();
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(next);
  let onRead: () => Promise<void> = () => Promise.resolve();
  const slowDb = registryTables(registry).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await onRead();
      return result;
    },
  });
  let notify: (payload: string) => void = () => undefined;
  const slowDatabase: Pick<Database, 'listen'> = {
    listen(channel, told) {
      if (channel === CHANNEL_CHANGED) notify = told;
      return Promise.resolve(() => Promise.resolve());
    },
  };
  const problems: unknown[] = [];
  const events = await createChannelEvents({
    database: slowDatabase,
    db: slowDb,
    now: () => registry.clock.now,
    onProblem: (error) => problems.push(error),
  });
  const told: string[] = [];
  const raw = {
    writeHead: () => raw,
    on: () => raw,
    end: () => raw,
    write(text: string) {
      told.push(...(/"live":"(r\d+)"/.exec(text) ?? []).slice(1));
    },
  };
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined };
  await events.serve('production', reply as unknown as FastifyReply, { tokenId: await opsTokenId() });

  // The first read's result is held back with it.
  let letGo: () => void = () => undefined;
  await arrival(
    'the first read',
    new Promise<void>((isRead) => {
      onRead = () => {
        onRead = () => Promise.resolve();
        isRead();
        return new Promise<void>((go) => (letGo = go));
      };
      notify('production');
    }),
  );
  await registry.activate({ 'mfe-blocks': next.version });
  notify('production');
  // All earlier queries are complete.
  await registryTables(registry).selectFrom('channels').select('live').execute();
  letGo();
  await waitFor(() => expect(told).toHaveLength(3));
  expect(told).toEqual(['r1', 'r1', 'r2']);
  await events.close();
  expect(problems).toEqual([]);
});

async function opsTokenId(): Promise<string> {
  const { body } = await registry.send<TokensAnswer>('GET', '/v1/tokens');
  return body.tokens.find(({ scopes }) => scopes.includes('ops'))?.id ?? '';
}

describe('a stream ends with its token', () => {
  const makeToken = async (more: object = {}) =>
    (
      await registry.send<TokenMade>('POST', '/v1/tokens', {
        body: { name: 'edge-9', scopes: ['edge:edge-9'], ...more },
      })
    ).body;
  async function ends(states: AsyncGenerator): Promise<'ended'> {
    try {
      for (let next = await readNext(states); next.done !== true; next = await readNext(states));
    } catch (error) {
      expect((error as Error).message).toBe('terminated');
    }
    return 'ended';
  }

  test('is closed by every registry process when the token is revoked; others continue', async () => {
    // Another registry process over the same database.
    const other = await createRegistryApp({
      database: registry.database,
      store: registry.store,
      auditKey: testAuditKey,
      composer: registry.composer,
      now: () => registry.clock.now,
    });
    const { id, token } = await makeToken();
    const here = followNumbered('production', String(token));
    const home = url;
    url = await other.listen({ port: 0, host: '127.0.0.1' });
    const there = followNumbered('production', String(token));
    const bystander = follow();
    for (const states of [here, there]) await readNext(states);
    await readNext(bystander);
    url = home;
    expect(
      (await registry.send('POST', `/v1/tokens/${id}/revocations`, { body: { reason: 'gone' } })).status,
    ).toBe(200);
    expect(await Promise.all([ends(here), ends(there)])).toEqual(['ended', 'ended']);
    await registry.startSite();
    expect((await readNext(bystander)).value).toMatchObject({ live: 'r1' });
    await other.close();
  });

  test('is closed when the token expires, and when the notification of its end was lost', async () => {
    const [expiring, revoked] = [await makeToken({ expiresInDays: 1 }), await makeToken()];
    const cut: string[] = [];
    const openStream = (name: string) => {
      let onCut: () => void = () => undefined;
      const isCut = new Promise<void>((resolve) => (onCut = resolve));
      const raw = {
        writeHead: () => raw,
        on: () => raw,
        write: () => true,
        end: () => raw,
        destroy() {
          cut.push(name);
          onCut();
        },
      };
      return {
        isCut,
        reply: { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply,
      };
    };
    const problems: unknown[] = [];
    const events = await createChannelEvents({
      // Drops all notifications.
      database: { listen: () => Promise.resolve(() => Promise.resolve()) },
      db: registryTables(registry),
      now: () => registry.clock.now,
      onProblem: (error) => problems.push(error),
      recheckTokensMs: 10,
    });
    const streams = {
      expiring: openStream('expiring'),
      revoked: openStream('revoked'),
      ops: openStream('ops'),
    };
    await events.serve('production', streams.expiring.reply, { tokenId: expiring.id });
    await events.serve('production', streams.revoked.reply, { tokenId: revoked.id });
    await events.serve('production', streams.ops.reply, { tokenId: await opsTokenId() });
    await registry.send('POST', `/v1/tokens/${revoked.id}/revocations`, { body: { reason: 'gone' } });
    await arrival('the stream of the revoked token to be cut', streams.revoked.isCut);
    registry.clock.now = new Date(registry.clock.now.getTime() + 24 * 60 * 60_000);
    await arrival('the stream of the expired token to be cut', streams.expiring.isCut);
    expect(cut).toEqual(['revoked', 'expiring']);
    await events.close();
    expect(problems).toEqual([]);
  });
});

test('stalled clients do not delay notifications of other clients', async () => {
  await registry.startSite();
  let notify: (payload: string) => void = () => undefined;
  const cut: number[] = [];
  const problems: unknown[] = [];
  const events = await createChannelEvents({
    database: {
      listen(channel, told) {
        if (channel === CHANNEL_CHANGED) notify = told;
        return Promise.resolve(() => Promise.resolve());
      },
    },
    db: registryTables(registry),
    now: () => registry.clock.now,
    onProblem: (error) => problems.push(error),
    keepAliveMs: 10,
  });
  const told: number[] = [];
  let written = 0;
  const openStream = (number: number, isStuck: boolean) => {
    const raw = {
      writableNeedDrain: false,
      writeHead: () => raw,
      on: () => raw,
      end: () => raw,
      write(text: string) {
        if (isStuck) written += text.length;
        raw.writableNeedDrain = isStuck;
        if (!isStuck && text.includes('"live":"r2"')) told.push(number);
      },
      destroy() {
        cut.push(number);
      },
    };
    return { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  };
  const token = await opsTokenId();
  const isStuck = (number: number) => number % 4 === 0;
  for (let number = 0; number < 200; number += 1)
    await events.serve('production', openStream(number, isStuck(number)), { tokenId: token });
  const writtenAtFirst = written;
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(next);
  await registry.activate({ 'mfe-blocks': next.version });
  notify('production');
  await waitFor(() => expect(told).toHaveLength(150));
  expect(new Set(told).size).toBe(150);
  await waitFor(() => expect(new Set(cut).size).toBe(50));
  expect(cut.every(isStuck)).toBe(true);
  // Nothing was queued behind the unread data.
  expect(written).toBe(writtenAtFirst);
  await events.close();
  expect(problems).toEqual([]);
});

test('a token has a limited number of streams', async () => {
  const events = await createChannelEvents({
    database: { listen: () => Promise.resolve(() => Promise.resolve()) },
    db: registryTables(registry),
    now: () => registry.clock.now,
    onProblem: () => undefined,
  });
  const raw = { writeHead: () => raw, on: () => raw, write: () => true, end: () => raw, destroy: () => raw };
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  const token = await opsTokenId();
  for (let open = 0; open < 500; open += 1) await events.serve('production', reply, { tokenId: token });
  await expect(events.serve('production', reply, { tokenId: token })).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await events.close();
});

/** A response whose client disconnected before it started. */
async function answerToNobody(): Promise<ServerResponse> {
  const server = createServer().listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  const asked = nextEvent(server, 'request');
  const reader = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  reader.on('error', () => undefined).end();
  const [, raw] = (await asked) as [unknown, ServerResponse];
  reader.destroy();
  await nextEvent(raw, 'close');
  server.close();
  return raw;
}

test('a client that disconnects during authentication is not followed or counted', async () => {
  const followers = await createFollowers({
    database: { listen: () => Promise.resolve(() => Promise.resolve()) },
    db: registryTables(registry),
    now: () => registry.clock.now,
    onProblem: () => undefined,
  });
  const serve = (raw: unknown) => {
    const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
    return followers.serve('production', reply, { tokenId }, () => Promise.resolve('first'));
  };
  const tokenId = await opsTokenId();
  const gone = await answerToNobody();
  await serve(gone);
  expect(followers.has('production')).toBe(false);
  for (let more = 0; more < 500; more += 1) await serve(gone);
  const raw = { writeHead: () => raw, on: () => raw, write: () => true, end: () => raw, destroy: () => raw };
  await serve(raw);
  expect(followers.has('production')).toBe(true);
  await followers.close();
});

test('ends every stream when the registry stops, so that shutdown does not hang', async () => {
  const states = follow();
  await readNext(states);
  await registry.app.close();
  expect((await readNext(states)).done).toBe(true);
});

test('a follower of another channel receives nothing', async () => {
  const staging = follow('staging');
  const production = follow();
  expect((await readNext(staging)).value).toMatchObject({ channel: 'staging' });
  await readNext(production);
  await registry.startSite();
  await readNext(production);
  const next = readNext(staging);
  await registry.app.close();
  expect((await next).done).toBe(true);
});

test('states have increasing revisions, in events and in responses', async () => {
  await registry.startSite();
  const told = followNumbered();
  const revisions: number[] = [];
  const next = async () => (await readNext(told)).value as { revision: number; state: ChannelState };
  const hear = async () => {
    let { revision, state } = await next();
    // A late notification repeats the current state with the same revision.
    while (revision === revisions.at(-1)) ({ revision, state } = await next());
    const asked = await registry.send('GET', '/v1/channels/production');
    expect(asked.body).toMatchObject({ revision, state });
    revisions.push(revision);
  };
  await hear();
  const versions = [2, 3].map((contents) =>
    remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents }),
  );
  for (const manifest of versions) await registry.publish(manifest);
  const [second, third] = versions.map(({ version }) => version) as [string, string];
  const post = (path: string, body: object) =>
    registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
  for (const change of [
    () => registry.activate({ 'mfe-blocks': second }, { share: 10 }),
    () => post('canary', { share: 50 }),
    () => post('promotions', {}),
    () => registry.activate({ 'mfe-blocks': third }, { share: 10 }),
    () => post('aborts', {}),
    () => registry.activate({ 'mfe-blocks': third }),
    () => registry.rollBack({ app: 'mfe-blocks' }),
  ]) {
    await change();
    await hear();
  }
  expect(revisions).toHaveLength(8);
  for (const [index, revision] of revisions.slice(1).entries())
    expect(revision).toBeGreaterThan(revisions[index] ?? 0);
});

test('an unknown channel and a missing token are errors, not streams', async () => {
  const headers = { authorization: `Bearer ${registry.tokens.read}` };
  expect((await fetch(`${url}/v1/channels/preview/events`, { headers })).status).toBe(404);
  expect((await fetch(`${url}/v1/channels/production/events`)).status).toBe(401);
});
