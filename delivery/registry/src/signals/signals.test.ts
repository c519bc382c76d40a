import type { Cell, FaultSum } from '@site/contract/signals/sums.schema';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { listFaults } from './fault.repository.ts';
import { insertAction, listActions } from '../guard/guard-action.repository.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { makeCell, testEdge } from '../testing/signals.ts';
import { HOUR_MS } from '@site/server/durations';

const version = '1.0.0-000000000001';

const minutes = (registry: Harness) =>
  registryTables(registry).selectFrom('signal_minutes').selectAll().execute();
const hours = (registry: Harness) =>
  registryTables(registry).selectFrom('signal_hours').selectAll().execute();
const blocks = (views: number, faults = 0) => makeCell({ app: 'mfe-blocks', version, views, faults });
const fault = (message: string, more: Partial<FaultSum> = {}): FaultSum => ({
  kind: 'error',
  app: 'mfe-blocks',
  version,
  message,
  file: '/assets/mfe-blocks/chunk.js',
  line: 1,
  column: 2,
  route: '/blocks',
  count: 1,
  browsers: {},
  ...more,
});

describe.each(databases)('signals on $name', ({ start }) => {
  const registry = forEachTest((database) => createHarness(database), start);

  test('are signed with a persistent key shared by all edges', async () => {
    const heartbeat = () =>
      registry.send<{ signals: { key: string } }>('PUT', '/v1/edges/edge-1', {
        as: 'edge',
        body: { channel: 'production', release: null },
      });
    const [first, second] = await Promise.all([heartbeat(), heartbeat()]);
    expect(first.body.signals.key).toMatch(/^[\w-]{43}$/);
    expect(second.body).toEqual(first.body);
    expect((await heartbeat()).body).toEqual(first.body);
  });

  test('are summed by minute and by hour', async () => {
    const edge = testEdge(registry);
    await edge.tell([
      { ...blocks(10, 1), lcp: [[70, 10]] },
      { ...blocks(4, 2), stretch: 'later' },
    ]);
    registry.clock.now = new Date(registry.clock.now.getTime() + 60_000);
    await edge.tell([
      {
        ...blocks(5),
        formsSent: 2,
        formsFailed: 1,
        formsRefused: 3,
        lcp: [
          [70, 1],
          [71, 4],
        ],
      },
    ]);
    const common = { channel: 'production', app: 'mfe-blocks', version, route: '/blocks', role: 'live' };
    const judged = {
      first: { views: 15, faults: 1 },
      later: { views: 4, faults: 2 },
      formsSent: 2,
      formsFailed: 1,
      lcp: [
        [70, 11],
        [71, 4],
      ],
    };
    expect(await minutes(registry)).toHaveLength(2);
    expect(await hours(registry)).toEqual([
      {
        ...common,
        at: new Date('2026-01-01T12:00:00.000Z'),
        // Summed by the database.
        views: 15,
        forms_sent: 2,
        forms_failed: 1,
        forms_refused: 3,
        sums: { ...judged, formsRefused: 3, engines: { other: judged } },
      },
    ]);
  });

  test('of one batch are counted once, even if it is repeated or sent concurrently', async () => {
    const edge = testEdge(registry);
    const batch = edge.next([blocks(10)], { faults: [fault('x is undefined')] });
    const answers = await Promise.all([batch, batch, batch].map((same) => edge.send(same)));
    expect(answers.map(({ body }) => body.counted).sort()).toEqual([false, false, true]);
    expect((await minutes(registry))[0]?.sums.first.views).toBe(10);
    const groups = await registryTables(registry).selectFrom('fault_groups').select('count').execute();
    expect(groups).toEqual([{ count: 1 }]);
  });

  test('of different edges and of a restarted process are all counted', async () => {
    const edges = [testEdge(registry), testEdge(registry), testEdge(registry)];
    const counted = await Promise.all(edges.map((edge) => edge.tell([blocks(10)])));
    expect(counted).toEqual([true, true, true]);
    expect((await minutes(registry))[0]?.sums.first.views).toBe(30);
  });

  test('of an earlier batch are not counted after a later one', async () => {
    const edge = testEdge(registry);
    const [first, second] = [edge.next([blocks(1)]), edge.next([blocks(2)])];
    expect((await edge.send(second)).body.counted).toBe(true);
    expect((await edge.send(first)).body.counted).toBe(false);
  });

  test('are accepted only from the edge itself', async () => {
    const batch = testEdge(registry).next([blocks(1)]);
    for (const as of ['read', 'blocks'] as const) {
      const { status } = await registry.send('POST', '/v1/edges/edge-1/signals', { as, body: batch });
      expect(status).toBe(403);
    }
    const other = await registry.send('POST', '/v1/edges/edge-2/signals', { as: 'edge', body: batch });
    expect(other.status).toBe(403);
  });

  test('that an edge with a wrong clock dates to another day count for the last hour', async () => {
    const edge = testEdge(registry);
    await edge.tell([blocks(1)], { at: new Date('2020-01-01T00:00:00Z') });
    await edge.tell([blocks(1)], { at: new Date('2030-01-01T00:00:00Z') });
    const times = (await minutes(registry)).map(({ at }) => at.toISOString()).sort();
    expect(times).toEqual(['2026-01-01T11:00:00.000Z', '2026-01-01T12:00:00.000Z']);
  });

  test('expire: minutes after two days; hours, faults and batch numbers after ninety', async () => {
    const edge = testEdge(registry);
    await edge.tell([blocks(1)], { faults: [fault('x is undefined')] });
    const after = async (ms: number) => {
      registry.clock.now = new Date(registry.clock.now.getTime() + ms);
      await registry.look();
      const groups = await registryTables(registry).selectFrom('fault_groups').select('count').execute();
      const sources = await registryTables(registry).selectFrom('signal_sources').selectAll().execute();
      return [await minutes(registry), await hours(registry), groups, sources].map(({ length }) => length);
    };
    expect(await after(47 * HOUR_MS)).toEqual([1, 1, 1, 1]);
    expect(await after(2 * HOUR_MS)).toEqual([0, 1, 1, 1]);
    expect(await after(87 * 24 * HOUR_MS)).toEqual([0, 1, 1, 1]);
    expect(await after(48 * HOUR_MS)).toEqual([0, 0, 0, 0]);
  });

  test("of the guard's suggestions expire; records of its actions stay", async () => {
    const actions = registryTables(registry);
    const { now: at } = registry.clock;
    const about = { app: 'mfe-blocks', version, why: 'a test', evidence: "/blocks threw 'of a visitor'", at };
    for (const [subject, did] of (['acted', 'suggested', 'refused'] as const).entries())
      await insertAction(actions, 'production', { ...about, subject, did });
    const after = async (days: number) => {
      registry.clock.now = new Date(registry.clock.now.getTime() + days * 24 * HOUR_MS);
      await registry.look();
      return (await listActions(actions, 'production', { limit: 9 })).map(({ did }) => did).sort();
    };
    expect(await after(89)).toEqual(['acted', 'refused', 'suggested']);
    expect(await after(2)).toEqual(['acted']);
  });

  test('with the same fault are one group, with all its routes', async () => {
    const edge = testEdge(registry);
    await edge.tell([], { faults: [fault('x is undefined', { count: 3 })] });
    await edge.tell([], {
      faults: [fault('x is undefined', { route: '/blocks/auth' }), fault('x is undefined'), fault('y')],
    });
    const groups = await registryTables(registry)
      .selectFrom('fault_groups')
      .select(['fault', 'routes', 'count'])
      .orderBy('count', 'desc')
      .execute();
    expect(groups).toMatchObject([
      { fault: { message: 'x is undefined' }, routes: ['/blocks', '/blocks/auth'], count: 5 },
      { fault: { message: 'y' }, count: 1 },
    ]);
  });

  test('list browsers by frequency, even if an edge does not report them', async () => {
    const edge = testEdge(registry);
    await edge.tell([], { faults: [fault('x', { count: 3, browsers: { Safari: 1, Chrome: 2 } })] });
    await edge.tell([], {
      faults: [fault('x', { count: 2 }), fault('x', { count: 4, browsers: { Safari: 4 } })],
    });
    const [told] = await listFaults(registryTables(registry), 'production', { limit: 9 });
    expect(told).toMatchObject({
      count: 9,
      browsers: [
        { name: 'Safari', count: 5 },
        { name: 'Chrome', count: 2 },
      ],
    });
  });

  test('are stored per browser engine besides the totals; signals of an edge without engines count as other', async () => {
    const edge = testEdge(registry);
    const { engine: _, ...withoutEngine } = blocks(3);
    await edge.tell([
      { ...blocks(10, 1), engine: 'webkit', interactive: [[140, 10]] },
      { ...blocks(4, 2), engine: 'webkit', stretch: 'later' },
      withoutEngine as Cell,
    ]);
    expect((await hours(registry)).map(({ sums }) => sums)).toMatchObject([
      {
        first: { views: 13, faults: 1 },
        later: { views: 4, faults: 2 },
        engines: {
          webkit: { first: { views: 10 }, later: { views: 4 }, interactive: [[140, 10]] },
          other: { first: { views: 3, faults: 0 } },
        },
      },
    ]);
  });

  test('show a fault in only one engine, in the list of faults and in the health', async () => {
    const edge = testEdge(registry);
    await edge.tell(
      [
        { ...blocks(900), engine: 'chromium' },
        { ...blocks(100, 10), engine: 'webkit' },
      ],
      {
        faults: [
          fault('x', { count: 10, browsers: { Safari: 6, iOS: 4 } }),
          fault('y', { count: 10, browsers: { Safari: 6, Firefox: 4 } }),
          fault('z', { kind: 'integrity', count: 10, browsers: { Safari: 10 } }),
        ],
      },
    );
    const read = async (what: string) =>
      (
        await registry.send<Record<string, { message?: string; onlyIn: string | null }[]>>(
          'GET',
          `/v1/channels/production/${what}`,
        )
      ).body;
    const { faults = [] } = await read('faults');
    expect(Object.fromEntries(faults.map(({ message, onlyIn }) => [message, onlyIn]))).toEqual({
      x: 'Safari',
      y: null,
      z: null,
    });
    expect((await read('health'))['rows']).toMatchObject([{ onlyIn: 'Safari' }]);
  });

  describe('of many different faults', () => {
    const tellAll = async (faults: readonly FaultSum[]) => {
      const edge = testEdge(registry);
      for (let from = 0; from < faults.length; from += 50)
        await edge.tell([], { faults: faults.slice(from, from + 50) });
    };
    const different = (count: number, more: Partial<FaultSum> = {}) =>
      Array.from({ length: count }, (_, index) => fault(`fault ${index}`, more));
    const groups = () =>
      registryTables(registry)
        .selectFrom('fault_groups')
        .select(['fault', 'count', 'browsers'])
        .orderBy('count', 'desc')
        .execute();

    test('keep the two hundred most frequent groups, and merge the others', async () => {
      await tellAll([fault('often', { count: 9 }), ...different(249, { browsers: { iOS: 1 } })]);
      // It is the last one, and still gets a group.
      await tellAll([fault('new'), fault('new'), fault('often')]);
      const kept = await groups();
      expect(kept).toHaveLength(200);
      expect(kept.slice(0, 3)).toMatchObject([
        {
          fault: { message: 'other faults, beside the 199 groups of this version' },
          count: 52,
          browsers: { iOS: 52 },
        },
        { fault: { message: 'often' }, count: 10 },
        { fault: { message: 'new' }, count: 2 },
      ]);
    });

    test("browser reports do not displace the page's own", async () => {
      await tellAll([fault('x is undefined'), ...different(250, { kind: 'crash', count: 2 })]);
      await tellAll([fault('y is undefined')]);
      const kept = await groups();
      const told = kept.filter(({ fault: { kind } }) => kind === 'error');
      // Equal counts: the order is undefined.
      expect(told.map(({ fault: { message }, count }) => `${message}: ${count}`).sort()).toEqual([
        'x is undefined: 1',
        'y is undefined: 1',
      ]);
      expect(kept.filter(({ fault: { kind } }) => kind !== 'error')).toHaveLength(50);
      expect(kept[0]).toMatchObject({
        fault: { message: 'other faults, beside the 49 groups of this version' },
        count: 402,
      });
    });
  });
});
