import type { Overview, TimelineEntry, VersionsCompared } from '@site/contract/registry-calls/view.calls';
import { sketchBucket, type Sketch } from '@site/contract/signals/sketch';
import { makeReadOnly } from '@site/server/testing/read-only-database';
import { waitFor } from '@site/server/testing/wait-for';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';

const registry = forEachTest(createHarness);

const minutesLater = (minutes: number) => {
  registry.clock.now = new Date(registry.clock.now.getTime() + minutes * 60_000);
};
const get = async <T>(url: string) => {
  const { status, body } = await registry.send<T>('GET', url, { as: 'read' });
  expect([url, status]).toEqual([url, 200]);
  return body;
};
const overview = () => get<Overview>('/v1/channels/production/overview');
const line = async (app: string) => (await overview()).apps.find((one) => one.app === app);
const post = (path: string, body: object) =>
  registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
const report = (release: string | null, more: object = {}) =>
  registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: { channel: 'production', release, ...more } });
const makeSketch = (value: number, count: number): Sketch => [[sketchBucket(value), count]];
const makeBlocks = (contents: number, paths = ['/blocks', '/blocks/auth']) =>
  remoteManifest('mfe-blocks', { paths, contents });

/** A site with an updated mfe-blocks. */
async function grownSite() {
  const site = await registry.startSite();
  const next = makeBlocks(2);
  await registry.publish(next, { as: 'ops' });
  minutesLater(10);
  await registry.activate({ 'mfe-blocks': next.version }, { reason: 'better blocks' });
  return { ...site, next };
}

describe('the overview', () => {
  test('of a channel without a live release lists published versions', async () => {
    await registry.publish(makeBlocks(1));
    expect(await overview()).toMatchObject({
      release: null,
      canaries: [],
      needs: [],
      edges: [],
      apps: [{ app: 'mfe-blocks', live: null, health: { views: 0, faults: null, lcp: null } }],
    });
  });

  test('of a read-only database names it as the problem, not the edges that cannot report', async () => {
    await registry.startSite();
    await report('r1');
    minutesLater(5);
    const makeWritable = await makeReadOnly(registry.database);
    try {
      await waitFor(async () =>
        expect((await overview()).needs).toMatchObject([
          { kind: 'trouble', says: expect.stringContaining('The database is read-only') as string },
        ]),
      );
      expect((await registry.app.inject('/metrics')).body).toMatch(/site_registry_database_up\{.*\} 0/);
    } finally {
      await makeWritable();
    }
    expect((await report('r1')).status).toBe(503);
    await waitFor(async () => expect((await report('r1')).status).toBe(200));
    expect((await overview()).needs).toEqual([]);
  });

  test('shows for each app since when its version is live, by whom and why', async () => {
    const { next, partners } = await grownSite();
    expect((await overview()).release).toMatchObject({ id: 'r2', by: 'olivia', reason: 'better blocks' });
    expect(await line('mfe-blocks')).toMatchObject({
      live: { version: next.version, release: 'r2', kind: 'activate', by: 'olivia', reason: 'better blocks' },
      guard: 'act',
      frozen: null,
      canary: null,
    });
    // A release of other apps does not change this.
    expect(await line('mfe-partners')).toMatchObject({ live: { version: partners.version, release: 'r1' } });
  });

  test("aggregates the last hour's signals of the live version over all routes and edges", async () => {
    const { next, blocks } = await grownSite();
    const [one, two] = [testEdge(registry), testEdge(registry)];
    const cell = { app: 'mfe-blocks', version: next.version };
    await one.tell([
      makeCell({ ...cell, views: 60, faults: 3, lcp: makeSketch(900, 60) }),
      makeCell({ ...cell, views: 20, route: '/blocks/auth', lcp: makeSketch(2_000, 20) }),
      makeCell({ ...cell, version: blocks.version, views: 500, faults: 500 }),
    ]);
    minutesLater(6);
    await two.tell([
      makeCell({ ...cell, views: 20, faults: 2, inp: makeSketch(120, 20), formsSent: 4, formsFailed: 1 }),
    ]);
    const seen = await line('mfe-blocks');
    expect(seen?.health).toMatchObject({ views: 100, faults: { rate: 0.05 }, forms: { sent: 4, failed: 1 } });
    expect(seen?.health.lcp).toBeGreaterThan(880);
    expect(seen?.health.lcp).toBeLessThan(930);
    expect(seen?.hour).toHaveLength(12);
    // Including the previous version: 503 of 580 views.
    expect(seen?.hour.slice(-3)).toEqual([null, 0.8672, 0.1]);
    minutesLater(60);
    expect((await line('mfe-blocks'))?.health).toMatchObject({ views: 0, faults: null, lcp: null });
  });

  test("separates a canary's visitors from all others", async () => {
    const { next } = await grownSite();
    const third = makeBlocks(3);
    await registry.publish(third);
    await registry.activate({ 'mfe-blocks': third.version }, { share: 10, reason: 'a try' });
    const edge = testEdge(registry);
    await edge.tell([
      makeCell({ app: 'mfe-blocks', version: next.version, views: 90 }),
      makeCell({ app: 'mfe-blocks', version: third.version, views: 10, faults: 5, role: 'canary' }),
    ]);
    const seen = await overview();
    expect(seen.canaries[0]).toMatchObject({
      release: 'r3',
      share: 10,
      by: 'olivia',
      reason: 'a try',
      app: 'mfe-blocks',
      version: third.version,
      stages: null,
    });
    expect(seen.apps.find(({ app }) => app === 'mfe-blocks')).toMatchObject({
      health: { views: 90, faults: { rate: 0 } },
      canary: { version: third.version, health: { views: 10, faults: { rate: 0.5 } } },
    });
    expect(seen.apps.find(({ app }) => app === 'mfe-partners')?.canary).toBeNull();
    expect(seen.needs).toMatchObject([{ kind: 'canary', app: 'mfe-blocks', version: third.version }]);
  });

  test('counts the views of a version by its role at the time', async () => {
    const { next, partners } = await grownSite();
    const third = makeBlocks(3);
    await registry.publish(third);
    await registry.activate({ 'mfe-blocks': third.version }, { share: 10, reason: 'a try' });
    await testEdge(registry).tell([
      makeCell({ app: 'mfe-partners', version: partners.version, views: 90 }),
      // The canary's release has the live versions of all other apps.
      makeCell({ app: 'mfe-partners', version: partners.version, views: 10, faults: 10, role: 'canary' }),
      makeCell({ app: 'mfe-blocks', version: next.version, views: 80 }),
      makeCell({ app: 'mfe-blocks', version: third.version, views: 20, faults: 20 }),
      makeCell({ app: 'mfe-blocks', version: third.version, views: 10, faults: 5, role: 'canary' }),
    ]);
    expect(await line('mfe-partners')).toMatchObject({ health: { views: 90, faults: { rate: 0 } } });
    expect(await line('mfe-blocks')).toMatchObject({
      health: { views: 80, faults: { rate: 0 } },
      canary: { version: third.version, health: { views: 10, faults: { rate: 0.5 } } },
    });
  });

  test('shows freezes and their scope', async () => {
    await grownSite();
    await post('freezes', { app: 'mfe-blocks', reason: 'holidays' });
    expect((await line('mfe-blocks'))?.frozen).toMatchObject({ app: 'mfe-blocks', reason: 'holidays' });
    expect((await line('mfe-partners'))?.frozen).toBeNull();
    await post('freezes', { reason: 'everything' });
    expect((await line('mfe-partners'))?.frozen).toMatchObject({ app: null, reason: 'everything' });
    expect((await overview()).needs.map(({ kind, app }) => [kind, app])).toEqual([
      ['frozen', null],
      ['frozen', 'mfe-blocks'],
    ]);
  });

  test("shows the guard's policy for each app", async () => {
    await grownSite();
    await post('guard', { mode: 'suggest' });
    await post('guard', { app: 'mfe-blocks', mode: 'off' });
    const modes = (await overview()).apps.map(({ app, guard }) => [app, guard]);
    expect(Object.fromEntries(modes)).toEqual({
      'mfe-blocks': 'off',
      'mfe-partners': 'suggest',
      shell: 'suggest',
    });
  });

  test('policies are per channel', async () => {
    await grownSite();
    const set = async (channel: string, mode: string | null) => {
      const url = `/v1/channels/${channel}/guard`;
      const { status } = await registry.send('POST', url, {
        body: { app: 'mfe-blocks', mode, reason: 'a test' },
      });
      expect([channel, status]).toEqual([channel, 200]);
    };
    await set('production', 'off');
    await set('staging', 'suggest');
    await set('staging', null);
    expect((await line('mfe-blocks'))?.guard).toBe('off');
    await set('staging', 'suggest');
    await set('production', null);
    expect((await line('mfe-blocks'))?.guard).toBe('act');
  });

  test('filters by app', async () => {
    await grownSite();
    await post('freezes', { app: 'mfe-blocks' });
    const of = (app: string) => get<Overview>(`/v1/channels/production/overview?app=${app}`);
    const { apps, needs, ...all } = await overview();
    expect(await of('mfe-blocks')).toEqual({
      ...all,
      apps: apps.filter(({ app }) => app === 'mfe-blocks'),
      needs,
    });
    expect(await of('mfe-partners')).toMatchObject({ apps: [{ app: 'mfe-partners' }], needs: [] });
    expect((await of('mfe-nothing')).apps).toEqual([]);
  });

  test('lists silent and outdated edges as needing attention', async () => {
    await grownSite();
    await report('r2');
    expect((await overview()).edges).toMatchObject([
      { id: 'edge-1', release: 'r2', alive: true, behind: false },
    ]);
    await report('r1');
    // It may be loading.
    expect(await overview()).toMatchObject({ needs: [], edges: [{ behind: true }] });
    minutesLater(1);
    expect(await overview()).toMatchObject({ needs: [{ kind: 'edge-silent', edge: 'edge-1' }] });
    await report('r1');
    const { needs } = await overview();
    expect(needs).toMatchObject([{ kind: 'edge-behind', edge: 'edge-1', says: 'edge-1 serves r1, not r2' }]);
    await report('r2', { canaries: [{ release: 'r1', app: 'mfe-blocks', share: 10 }] });
    expect((await overview()).needs).toMatchObject([
      { kind: 'edge-behind', says: 'edge-1 serves r2 and r1, not r2' },
    ]);
  });

  test('lists a suggestion of the guard as needing attention until the version has no more visitors', async () => {
    const { next } = await grownSite();
    const third = makeBlocks(3);
    await registry.publish(third);
    await post('guard', { mode: 'suggest' });
    await registry.activate({ 'mfe-blocks': third.version }, { share: 10 });
    await registry.look();
    await testEdge(registry).tell([
      makeCell({ app: 'mfe-blocks', version: third.version, views: 200, faults: 150, role: 'canary' }),
      makeCell({ app: 'mfe-blocks', version: next.version, views: 1_800 }),
    ]);
    await registry.look();
    const seen = await overview();
    expect(seen.needs).toMatchObject([
      { kind: 'suggested', app: 'mfe-blocks', version: third.version },
      { kind: 'canary' },
    ]);
    expect(seen.needs[0]?.says).toContain('the policy is to suggest');
    expect(seen.apps.find(({ app }) => app === 'mfe-blocks')?.canary?.standing).toMatchObject({
      verdict: 'bad',
      proven: null,
    });
    await post('aborts', {});
    expect((await overview()).needs).toEqual([]);
  });
});

describe('a comparison of two versions', () => {
  const compare = (version: string, control: string) =>
    get<VersionsCompared>(`/v1/apps/mfe-blocks/versions/${version}/against/${control}`);

  test('shows pages, files, weights, health and faults', async () => {
    const { blocks } = await registry.startSite();
    const next = makeBlocks(2, ['/blocks', '/blocks/new']);
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    await testEdge(registry).tell(
      [
        makeCell({ app: 'mfe-blocks', version: next.version, views: 50, faults: 5 }),
        makeCell({ app: 'mfe-blocks', version: blocks.version, views: 100 }),
      ],
      { faults: [{ kind: 'error', app: 'mfe-blocks', version: next.version, message: 'x', count: 5 }] },
    );
    const compared = await compare(next.version, blocks.version);
    expect(compared).toMatchObject({
      app: 'mfe-blocks',
      version: {
        version: next.version,
        publishedBy: 'olivia',
        health: { views: 50, faults: { rate: 0.1 } },
        faults: { groups: 1, count: 5 },
        pages: [{ path: '/blocks' }, { path: '/blocks/new' }],
      },
      control: { version: blocks.version, health: { views: 100 }, faults: { groups: 0, count: 0 } },
      pages: { added: ['/blocks/new'], removed: ['/blocks/auth'] },
    });
    const size = (of: { size: number }[]) => of.reduce((sum, file) => sum + file.size, 0);
    expect(compared.version.bytes).toBe(size([...next.assets, next.server]));
    for (const page of compared.version.pages) {
      expect(page.files).toBeGreaterThan(0);
      expect(page.document).toBeGreaterThan(0);
    }
  });

  test('is rejected if one of them does not exist', async () => {
    const { blocks } = await registry.startSite();
    for (const path of [`x/against/${blocks.version}`, `${blocks.version}/against/x`]) {
      const { status, body } = await registry.send('GET', `/v1/apps/mfe-blocks/versions/${path}`);
      expect([status, body.errors[0]?.code]).toEqual([404, 'version_unknown']);
    }
  });
});

test('the list of versions shows each weight, the difference to the previous version, and its track record', async () => {
  const { blocks } = await registry.startSite();
  const next = makeBlocks(2, ['/blocks', '/blocks/auth', '/blocks/new']);
  await registry.publish(next);
  const { versions } = await get<{ versions: { version: string }[] }>('/v1/apps/mfe-blocks/versions');
  const size = ({ assets, server }: typeof next) =>
    [...assets, server].reduce((sum, file) => sum + file.size, 0);
  expect(versions).toMatchObject([
    {
      version: next.version,
      bytes: size(next),
      bytesBefore: size(blocks as typeof next),
      pages: 3,
      standing: null,
    },
    {
      version: blocks.version,
      bytes: size(blocks as typeof next),
      bytesBefore: null,
      pages: 2,
      standing: null,
    },
  ]);
});

test('the list of versions starts with the named one, and continues after it', async () => {
  const { blocks } = await registry.startSite();
  const [second, third] = [makeBlocks(2), makeBlocks(3)];
  await registry.publish(second);
  await registry.publish(third);
  const list = async (query: string) => {
    const { versions, next } = await get<{ versions: { version: string }[]; next: number | null }>(
      `/v1/apps/mfe-blocks/versions?${query}`,
    );
    return { versions: versions.map(({ version }) => version), next };
  };
  const found = await list(`from=${second.version}&limit=1`);
  expect(found.versions).toEqual([second.version]);
  expect(await list(`limit=1&before=${found.next}`)).toEqual({ versions: [blocks.version], next: null });
  expect((await list(`from=${third.version}`)).versions).toHaveLength(3);
  const { status, body } = await registry.send('GET', '/v1/apps/mfe-blocks/versions?from=1.0.0-x');
  expect([status, body.errors[0]?.code]).toEqual([404, 'version_unknown']);
});

describe('the timeline', () => {
  const timeline = (query = '') =>
    get<{ next: string | null; releases: TimelineEntry[] }>(`/v1/channels/production/timeline${query}`);

  test("lists events, newest first, with the app's health before and after", async () => {
    const { blocks, next } = await grownSite();
    const edge = testEdge(registry);
    await edge.tell([
      makeCell({ app: 'mfe-blocks', version: blocks.version, views: 200, faults: 2 }),
      makeCell({ app: 'mfe-blocks', version: next.version, views: 100, faults: 50 }),
    ]);
    minutesLater(5);
    await registry.rollBack({ app: 'mfe-blocks', reason: 'faults' });
    const { next: more, releases } = await timeline();
    expect(more).toBeNull();
    expect(releases).toMatchObject([
      {
        id: 'r3',
        kind: 'rollback',
        by: 'olivia',
        guard: false,
        reason: 'faults',
        changes: [{ app: 'mfe-blocks', from: next.version, to: blocks.version }],
        around: [{ before: { views: 100, faults: { rate: 0.5 } }, after: { views: 200 } }],
      },
      {
        id: 'r2',
        kind: 'activate',
        revoked: true,
        configuration: false,
        around: [{ app: 'mfe-blocks', before: { faults: { rate: 0.01 } }, after: { faults: { rate: 0.5 } } }],
      },
      { id: 'r1', parent: null, canary: false },
    ]);
    expect(releases[2]?.changes).toHaveLength(3);
  });

  test("shows the health of a canary's visitors separately", async () => {
    const { next } = await grownSite();
    const third = makeBlocks(3);
    await registry.publish(third);
    await registry.activate({ 'mfe-blocks': third.version }, { share: 10 });
    await testEdge(registry).tell([
      makeCell({ app: 'mfe-blocks', version: next.version, views: 90 }),
      makeCell({ app: 'mfe-blocks', version: third.version, views: 10, faults: 5, role: 'canary' }),
    ]);
    const { releases } = await timeline('?limit=1');
    expect(releases).toMatchObject([
      { canary: true, around: [{ before: { views: 90 }, after: { views: 10, faults: { rate: 0.5 } } }] },
    ]);
  });

  test('is paginated, and can be filtered by app', async () => {
    await grownSite();
    const third = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
    await registry.publish(third);
    await registry.activate({ 'mfe-partners': third.version });
    const ids = async (query: string) => {
      const { next, releases } = await timeline(query);
      return [next, releases.map(({ id }) => id)];
    };
    expect(await ids('?limit=2')).toEqual(['r2', ['r3', 'r2']]);
    expect(await ids('?limit=2&before=r2')).toEqual([null, ['r1']]);
    expect(await ids('?app=mfe-blocks')).toEqual([null, ['r2', 'r1']]);
    expect(await ids('?app=mfe-blocks&limit=1')).toEqual(['r2', ['r2']]);
  });
});

test('a series shows each version over time, on all routes together', async () => {
  const { blocks, next } = await grownSite();
  const edge = testEdge(registry);
  await edge.tell([
    makeCell({ app: 'mfe-blocks', version: blocks.version, views: 7 }),
    makeCell({ app: 'mfe-blocks', version: next.version, views: 1, route: '/blocks/auth' }),
    makeCell({ app: 'mfe-blocks', version: next.version, views: 2, faults: 1 }),
  ]);
  minutesLater(5);
  await edge.tell([makeCell({ app: 'mfe-blocks', version: next.version, views: 4, role: 'canary' })]);
  const read = (query: string) =>
    get<{ everyMinutes: number; rows: { version: string; canary: boolean; points: { views: number }[] }[] }>(
      `/v1/channels/production/health/series?app=mfe-blocks&${query}`,
    );
  const series = await read(`versions=${next.version}`);
  expect(series).toMatchObject({
    everyMinutes: 5,
    rows: [
      {
        version: next.version,
        canary: false,
        points: [{ at: '2026-01-01T12:10:00.000Z', views: 3, faults: 1 }],
      },
      { version: next.version, canary: true, points: [{ at: '2026-01-01T12:15:00.000Z', views: 4 }] },
    ],
  });
  const long = await read('minutes=10000');
  expect([long.everyMinutes, long.rows.map(({ points }) => points.map(({ views }) => views))]).toEqual([
    60,
    [[7], [3], [4]],
  ]);
});

test('forms show sent, rejected and failed submissions, views of their page, and the last submission', async () => {
  const { next } = await grownSite();
  const edge = testEdge(registry);
  const cell = { app: 'mfe-blocks', version: next.version, route: '/blocks' };
  await edge.tell([
    makeCell({ ...cell, views: 40, formsSent: 3, formsFailed: 1, formsRefused: 5 }),
    makeCell({ ...cell, views: 9, route: '/blocks/auth' }),
  ]);
  minutesLater(7);
  await edge.tell([makeCell({ ...cell, views: 10, formsFailed: 2 })]);
  const { rows } = await get<{ rows: object[] }>('/v1/channels/production/forms');
  expect(rows).toEqual([
    {
      ...cell,
      canary: false,
      views: 50,
      sent: 3,
      refused: 5,
      failed: 3,
      lastSent: '2026-01-01T12:10:00.000Z',
    },
  ]);
  expect((await get<{ rows: object[] }>('/v1/channels/production/forms?app=mfe-partners')).rows).toEqual([]);
});

describe('the search', () => {
  const search = (text: string) =>
    get<Record<'apps' | 'versions' | 'releases' | 'people', object[]>>(
      `/v1/search?text=${encodeURIComponent(text)}`,
    );

  test('finds apps, versions by id and commit, releases by number and reason, and people', async () => {
    const { next } = await grownSite();
    expect((await search('block')).apps).toEqual([{ app: 'mfe-blocks' }]);
    expect((await search(next.version.slice(4))).versions).toMatchObject([
      { app: 'mfe-blocks', version: next.version },
    ]);
    expect((await search((next.commit ?? '').slice(0, 8))).versions).toContainEqual(
      expect.objectContaining({ version: next.version }),
    );
    expect((await search('r2')).releases).toMatchObject([{ id: 'r2' }]);
    expect((await search('BETTER')).releases).toMatchObject([{ id: 'r2', reason: 'better blocks' }]);
    expect((await search('liv')).people).toMatchObject([{ name: 'olivia' }]);
  });

  test.each(['%', '_', '\\', "' or true --", '%%%'])('interprets "%s" correctly', async (text) => {
    await grownSite();
    expect(await search(text)).toEqual({ apps: [], versions: [], releases: [], people: [] });
  });

  test('reports the maximum length for a text that is too long', async () => {
    const { status, body } = await registry.send<{ errors: object[] }>(
      'GET',
      `/v1/search?text=${'x'.repeat(101)}`,
    );
    expect([status, body.errors]).toMatchObject([
      400,
      [
        {
          detail: expect.stringMatching(
            /^The search text has 101 characters; the maximum is 100\./,
          ) as string,
          source: { parameter: 'text' },
        },
      ],
    ]);
  });
});

describe('the audit log', () => {
  const log = async (query: string) =>
    (await get<{ events: { action: string; by: string; sequence: number }[] }>(`/v1/audit?${query}`)).events;

  test('can be filtered by actor, action, app and time', async () => {
    const { next } = await grownSite();
    await registry.send('POST', '/v1/tokens', { body: { name: 'mia', scopes: ['read'] } });
    await post('freezes', { app: 'mfe-blocks' });
    const actions = async (query: string) => (await log(query)).map(({ action }) => action);
    expect(await actions('action=token.')).toEqual(['token.made', 'token.configured']);
    expect(await actions('by=nobody')).toEqual([]);
    expect((await actions('by=olivia&limit=2')).length).toBe(2);
    expect(await actions('app=mfe-blocks')).toEqual([
      'channel.frozen',
      'release.activate',
      'version.published',
      'release.activate',
      'version.published',
    ]);
    expect(await actions('app=mfe-blocks&since=2026-01-01T12:05:00Z')).toEqual([
      'channel.frozen',
      'release.activate',
    ]);
    expect(next.app).toBe('mfe-blocks');
  });

  test.each(['yesterday', '2026-01-31T12:00:00%2B02'])('rejects the invalid time %s', async (since) => {
    const { status, body } = await registry.send('GET', `/v1/audit?since=${since}`, { as: 'read' });
    expect([status, body.errors[0]?.code]).toEqual([400, 'request_malformed']);
  });
});

test('active preview links are listed, without the links', async () => {
  const { next } = await grownSite();
  const made = await registry.send<{ id: string; url: string }>('POST', '/v1/previews', {
    body: { app: 'mfe-blocks', version: next.version, expiresInMinutes: 10 },
  });
  const list = (query = '') => get<{ previews: object[] }>(`/v1/previews${query}`);
  expect((await list('?app=mfe-blocks')).previews).toEqual([
    {
      id: made.body.id,
      channel: 'production',
      app: 'mfe-blocks',
      version: next.version,
      dev: null,
      by: 'olivia',
      createdAt: '2026-01-01T12:10:00.000Z',
      expiresAt: '2026-01-01T12:20:00.000Z',
    },
  ]);
  expect(JSON.stringify(await list())).not.toContain(new URL(made.body.url).searchParams.get('id'));
  expect((await list('?app=mfe-partners')).previews).toEqual([]);
  minutesLater(10);
  expect((await list()).previews).toEqual([]);
});

test('user-supplied texts are JSON that browsers do not interpret as a page', async () => {
  const hostile = '<img src=x onerror=alert(1)></script><script>alert(1)</script>';
  const { next } = await grownSite();
  await post('freezes', { app: 'mfe-blocks', reason: hostile });
  await testEdge(registry).tell([makeCell({ app: 'mfe-blocks', version: next.version, views: 1 })], {
    faults: [{ kind: 'error', app: 'mfe-blocks', version: next.version, message: hostile, count: 1 }],
  });
  for (const path of [
    'channels/production/overview',
    'audit',
    'channels/production/faults',
    `search?text=${encodeURIComponent(hostile)}`,
  ]) {
    const response = await registry.app.inject({
      method: 'GET',
      url: `/v1/${path}`,
      headers: { authorization: `Bearer ${registry.tokens.read}` },
    });
    expect([
      path,
      response.statusCode,
      response.headers['content-type'],
      response.headers['x-content-type-options'],
    ]).toEqual([path, 200, 'application/json; charset=utf-8', 'nosniff']);
    if (!path.startsWith('search')) expect(JSON.stringify(response.json())).toContain('onerror=alert(1)');
  }
});

test('a fault has the version in which it was first seen', async () => {
  const { blocks, next } = await grownSite();
  const edge = testEdge(registry);
  const fault = { kind: 'error', app: 'mfe-blocks', message: 'x is undefined', count: 1 } as const;
  await edge.tell([], { faults: [{ ...fault, version: blocks.version }] });
  minutesLater(5);
  await edge.tell([], {
    faults: [
      { ...fault, version: next.version },
      { ...fault, version: next.version, message: 'y is undefined' },
    ],
  });
  const { faults } = await get<{ faults: { message: string; version: string; firstVersion: string }[] }>(
    `/v1/channels/production/faults?app=mfe-blocks&version=${next.version}`,
  );
  expect(new Map(faults.map(({ message, firstVersion }) => [message, firstVersion]))).toEqual(
    new Map([
      ['x is undefined', blocks.version],
      ['y is undefined', next.version],
    ]),
  );
});
