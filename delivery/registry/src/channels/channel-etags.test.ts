import type { FastifyReply } from 'fastify';
import type { TokenMade } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { fakeIntervals, type IntervalClock } from '@site/server/testing/interval-clock';
import { EDGE_MOVED } from '../kernel/notices.ts';
import { createChannelEtags } from './channel-etags.ts';
import { fromConsole, openBrowser } from '../testing/browser.ts';
import { createHarness, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';
import { arrival } from '@site/server/testing/wait-for';

let intervals: IntervalClock;
beforeEach(() => {
  intervals = fakeIntervals('2026-01-01T12:00:00Z');
});
afterEach(() => intervals.restore());

const registry = forEachTest(createHarness);
let url: string;
beforeEach(async () => {
  url = await registry.listen();
});

type Marks = Record<'log' | 'edges' | 'guard' | 'signals' | 'troubles', string>;

async function* follow(headers: Record<string, string>, channel = 'production'): AsyncGenerator<Marks> {
  const response = await fetch(`${url}/v1/channels/${channel}/marks`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, data] = /^event: marks\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as Marks;
    }
  }
}

const asReader = () => ({ authorization: `Bearer ${registry.tokens.read}` });

/** Changes without a notification are detected every second. */
const passSecond = () => intervals.pass(1_000);

const readNext = (marks: AsyncGenerator<Marks>) => arrival('the next marks of the stream', marks.next());

/** Waits until one of the etags changes. */
async function untilMoved(marks: AsyncGenerator<Marks>, part: keyof Marks, from: Marks): Promise<Marks> {
  for (;;) {
    const next = await readNext(marks);
    if (next.done) throw new Error('The stream has ended.');
    if (next.value[part] !== from[part]) return next.value;
  }
}

async function first(marks: AsyncGenerator<Marks>): Promise<Marks> {
  return (await readNext(marks)).value as Marks;
}

test('sends the etags immediately, and again for each part that changes', async () => {
  await registry.startSite();
  const marks = follow(asReader());
  let now = await first(marks);
  const tells = async (part: keyof Marks, change: () => Promise<unknown>) => {
    await change();
    now = await untilMoved(marks, part, now);
  };
  const tellsInASecond = (part: keyof Marks, change: () => Promise<unknown>) =>
    tells(part, async () => {
      await change();
      passSecond();
    });
  const post = (path: string, body: object) =>
    registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await tellsInASecond('log', () => registry.publish(next));
  await tells('log', () => registry.activate({ 'mfe-blocks': next.version }));
  await tellsInASecond('log', () => post('freezes', {}));
  await tellsInASecond('log', () => post('guard', { mode: 'off' }));
  await tellsInASecond('log', () =>
    registry.send('POST', '/v1/tokens', { body: { name: 'mia', scopes: ['read'] } }),
  );
  const report = (release: string) =>
    registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: { channel: 'production', release } });
  await tells('edges', () => report('r1'));
  await tells('edges', () => report('r2'));
  // At most every ten seconds.
  registry.clock.now = new Date(registry.clock.now.getTime() + 10_000);
  await tellsInASecond('signals', () =>
    testEdge(registry).tell([makeCell({ app: 'mfe-blocks', version: next.version, views: 3 })]),
  );
  await tellsInASecond('log', () =>
    registry.send('POST', '/v1/alert-hooks', { body: { url: 'http://localhost:1/' } }),
  );
  await tellsInASecond('troubles', () =>
    registryTables(registry).updateTable('alert_hooks').set({ failures: 1 }).execute(),
  );
});

test('sends an edge that falls silent, although nothing reports it', async () => {
  await registry.startSite();
  await registry.send('PUT', '/v1/edges/edge-1', {
    as: 'edge',
    body: { channel: 'production', release: 'r1' },
  });
  const marks = follow(asReader());
  const now = await first(marks);
  registry.clock.now = new Date(registry.clock.now.getTime() + 60_000);
  passSecond();
  await untilMoved(marks, 'edges', now);
});

test('a part that changes back is sent to followers that joined in between', async () => {
  await registry.startSite();
  const report = (release: string) =>
    registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: { channel: 'production', release } });
  let notify: (payload: string) => void = () => undefined;
  const marks = await createChannelEtags({
    database: {
      listen(name, told) {
        if (name === EDGE_MOVED) notify = told;
        return Promise.resolve(() => Promise.resolve());
      },
    },
    db: registryTables(registry),
    now: () => registry.clock.now,
    onProblem: (error) => {
      throw error;
    },
    lookEveryMs: 1_000_000,
  });
  const [{ id: tokenId }] = (await registryTables(registry).selectFrom('tokens').select('id').execute()) as [
    { id: string },
  ];
  const open = async () => {
    let leave: () => void = () => undefined;
    let onTold: (edges: string) => void = () => undefined;
    const told: string[] = [];
    const raw = {
      writableNeedDrain: false,
      writeHead: () => raw,
      on: (name: string, act: () => void) => {
        if (name === 'close') leave = act;
      },
      end: () => raw,
      write(text: string) {
        const edges = /"edges":"(\w+)"/.exec(text)?.[1];
        if (edges === undefined || edges === told.at(-1)) return;
        told.push(edges);
        onTold(edges);
      },
    };
    const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
    await marks.serve('production', reply, { tokenId });
    return {
      told,
      leave: () => leave(),
      next: () => arrival('other marks', new Promise<string>((resolve) => (onTold = resolve))),
    };
  };
  await report('r1');
  const early = await open();
  const moved = early.next();
  await report('r2');
  notify('production');
  const second = await moved;
  early.leave();
  await report('r1');
  const late = await open();
  expect(late.told[0]).not.toBe(second);
  const next = late.next();
  await report('r2');
  notify('production');
  expect(await next).toBe(second);
  await marks.close();
});

describe('a stream ends with the session', () => {
  const signedIn = async (token: string) => {
    const browser = openBrowser(registry.app);
    await browser.signIn({ token });
    const headers = { ...fromConsole, cookie: browser.cookie ?? '' };
    const marks = follow(headers);
    await readNext(marks);
    return { browser, marks, headers };
  };
  const ended = async (marks: AsyncGenerator<Marks>) => {
    try {
      while ((await readNext(marks)).done !== true);
    } catch (error) {
      expect((error as Error).message).toBe('terminated');
    }
  };

  test('that is signed out, while others continue', async () => {
    const [one, other] = [await signedIn(registry.tokens.ops), await signedIn(registry.tokens.ops)];
    await one.browser.signOut();
    await ended(one.marks);
    await registry.send('POST', '/v1/channels/production/freezes', { body: { reason: 'a test' } });
    passSecond();
    expect((await readNext(other.marks)).done).toBe(false);
    const again = await fetch(`${url}/v1/channels/production/marks`, { headers: one.headers });
    expect(again.status).toBe(401);
  });

  test('whose token is revoked', async () => {
    const { body } = await registry.send<TokenMade>('POST', '/v1/tokens', {
      body: { name: 'mia', scopes: ['read'] },
    });
    const { marks } = await signedIn(body.token ?? '');
    await registry.send('POST', `/v1/tokens/${body.id}/revocations`, { body: { reason: 'gone' } });
    await ended(marks);
  });
});

test('a page of another origin gets nothing', async () => {
  const browser = openBrowser(registry.app);
  await browser.signIn({ token: registry.tokens.ops });
  const response = await fetch(`${url}/v1/channels/production/marks`, {
    headers: { ...fromConsole, cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-site' },
  });
  expect(response.status).toBe(403);
});
