import fc from 'fast-check';
import * as v from 'valibot';
import type { SignalView } from '@site/contract/signals/report.schema';
import { EdgeSumsSchema, MAX_FAULT_SUMS } from '@site/contract/signals/sums.schema';
import { sketchBucket, sketchCount } from '@site/contract/signals/sketch';
import { createSignalHarness, outcome, sameOrigin, type SignalHarness } from '../testing/signal-harness.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';
import { createSecret } from '@site/server/secrets';
import { createTokens } from './token.ts';

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);
const networks = (count: number) =>
  Array.from({ length: count }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
const bits = (text = '') =>
  [...Buffer.from(text, 'base64')].reduce(
    (all, byte) => all + byte.toString(2).replaceAll('0', '').length,
    0,
  );

const homeView = ({ homeVersion }: SignalHarness) => ({
  route: '/home',
  app: 'mfe-marketing',
  version: homeVersion,
});

describe('counted reports', () => {
  test('a view counts for its app and for the shell, with the faults of each', async () => {
    const site = createSignalHarness();
    site.send([outcome(site.view())]);
    site.send([outcome(site.view(), ['mfe-blocks', 'mfe-marketing'])]);
    const own = { ...site.view(), role: 'live', stretch: 'first', views: 2 };
    expect(await site.cells('mfe-blocks')).toMatchObject([
      {
        version: own.version,
        route: '/blocks',
        role: 'live',
        build: 'live',
        stretch: 'first',
        views: 2,
        faults: 1,
      },
    ]);
    expect(await site.cells('shell')).toMatchObject([{ version: site.shellVersion, views: 2, faults: 0 }]);
    expect(await site.cells('mfe-marketing')).toEqual([]);
  });

  test('views of the canary and of the live release are distinguished', async () => {
    const site = createSignalHarness();
    site.send([outcome(site.view())]);
    site.send([outcome(site.view({ version: site.canaryVersion }))], { release: 'r2' });
    const cells = await site.cells('mfe-blocks');
    expect(cells.map(({ role, version }) => [role, version])).toEqual([
      ['live', site.view().version],
      ['canary', site.canaryVersion],
    ]);
  });

  test('a load with a variant counts once for it, with the outcomes that it reached', async () => {
    const site = createSignalHarness();
    const shown = (headline: string, changes: Partial<SignalView> = {}) =>
      site.view({ ...homeView(site), variant: `headline=${headline}`, ...changes });
    const load = (view: SignalView, ...reached: string[]) => ({
      kind: 'experiment' as const,
      view,
      reached,
    });
    site.send([load(shown('a'), 'start', 'start')]);
    site.send([load(shown('b'))]);
    const token = site.token({ page: '/home' });
    for (let times = 0; times < 2; times += 1) site.send([load(shown('b'), 'start')], { token });
    expect([site.taken, site.dropped]).toEqual([{ experiment: 3 }, { repeated: 1 }]);
    const cells = await site.cells('mfe-marketing');
    const variants = 'headline=a,b';
    expect(cells).toMatchObject([
      {
        route: '/home',
        views: 0,
        experiments: [
          { variants, choice: 'headline=a', views: 1, reached: { start: 1 } },
          { variants, choice: 'headline=b', views: 2, reached: { start: 1 } },
        ],
      },
    ]);
    expect(v.is(EdgeSumsSchema, site.batches[0])).toBe(true);
  });

  test.each<[string, Partial<SignalView>, string[]]>([
    ['an outcome that the page does not declare', { variant: 'headline=a' }, ['start', 'paid']],
    ['a view without a variant', {}, []],
  ])('a load does not count with %s', (_, changes, reached) => {
    const site = createSignalHarness();
    site.send([{ kind: 'experiment', view: site.view({ ...homeView(site), ...changes }), reached }]);
    expect([site.taken, site.dropped]).toEqual([{}, { 'not-served': 1 }]);
  });

  test('an outcome counts when its view is six seconds old, regardless of when it was reported', async () => {
    const site = createSignalHarness();
    site.send([{ ...outcome(site.view()), age: 1_000 } as never]);
    site.pass(4_000);
    await site.counter.tick();
    expect(site.batches).toEqual([]);
    site.pass(2_000);
    await site.counter.tick();
    expect(site.batches).toHaveLength(1);
  });

  test('the two stretches of a view are counted separately, vitals and forms with the first', async () => {
    const site = createSignalHarness();
    const view = site.view();
    site.send([
      outcome(view),
      { kind: 'outcome', view, stretch: 'later', age: 12_000, faulty: ['mfe-blocks'] },
      { kind: 'vitals', view, lcp: 1_200, inp: 40, cls: 12, interactive: 2_000 },
      { kind: 'form', view, sent: true },
      { kind: 'form', view, sent: false },
      { kind: 'form', view, sent: false, refused: true },
    ]);
    const cells = await site.cells('mfe-blocks');
    const first = cells.filter(({ stretch }) => stretch === 'first');
    expect(cells.filter(({ stretch }) => stretch === 'later')).toMatchObject([{ views: 1, faults: 1 }]);
    const total = (name: 'views' | 'formsSent' | 'formsFailed' | 'formsRefused') =>
      first.reduce((all, cell) => all + cell[name], 0);
    expect([total('views'), total('formsSent'), total('formsFailed'), total('formsRefused')]).toEqual([
      1, 1, 1, 1,
    ]);
    const lcp = first.flatMap((cell) => (cell.lcp ? [cell.lcp] : []));
    expect(lcp.map(sketchCount)).toEqual([1]);
  });

  test('a page in its last good version is a faulty view of the version that could not be loaded', async () => {
    const site = createSignalHarness();
    const view = site.view({ build: 'last-good' });
    // Only the canary has another fallback: the live version.
    site.send([outcome(view)]);
    expect(site.dropped).toEqual({ 'not-served': 1 });
    site.send([outcome(view, ['mfe-blocks'])], { release: 'r2' });
    expect(await site.cells('mfe-blocks')).toMatchObject([
      { version: view.version, build: 'last-good', role: 'canary', views: 1, faults: 1 },
      { version: site.canaryVersion, build: 'live', role: 'canary', views: 1, faults: 1 },
    ]);
  });

  test('with a canary of the shell, faults of an app that is the same with both shells count for the shell, in both', async () => {
    const site = createSignalHarness({ tried: ['shell'] });
    site.send([outcome(site.view(), ['mfe-blocks'])]);
    site.send([outcome(site.view())]);
    site.send([outcome(site.view(), ['mfe-blocks'])], { release: 'r2' });
    expect(await site.cells('shell')).toMatchObject([
      { version: site.shellVersion, role: 'live', views: 2, faults: 1 },
      { role: 'canary', views: 1, faults: 1 },
    ]);
  });

  test('so do times and forms, because the shell loads the page and submits its forms', async () => {
    const site = createSignalHarness({ tried: ['shell'] });
    const view = site.view();
    for (const release of ['r1', 'r2'])
      site.send(
        [
          { kind: 'vitals', view, lcp: 1_200, inp: 40 },
          { kind: 'form', view, sent: false },
        ],
        { release },
      );
    for (const app of ['shell', 'mfe-blocks'])
      expect(await site.cells(app)).toMatchObject(
        ['live', 'canary'].map((role) => ({ role, formsFailed: 1, lcp: [[146, 1]], inp: [[76, 1]] })),
      );
  });

  test('if the canary also changes the app, its faults and times count only for the app', async () => {
    const site = createSignalHarness({ tried: ['shell', 'mfe-blocks'] });
    const view = site.view({ version: site.canaryVersion });
    site.send([outcome(view, ['mfe-blocks']), { kind: 'vitals', view, lcp: 1_200 }], { release: 'r2' });
    const cells = await site.cells('shell');
    expect(cells).toMatchObject([{ role: 'canary', views: 1, faults: 0 }]);
    expect(cells.flatMap(({ lcp }) => lcp ?? [])).toEqual([]);
  });

  test('the bits of networks show their number, and are the same on every edge', async () => {
    const site = createSignalHarness();
    for (const caller of networks(20)) site.send([outcome(site.view(), ['mfe-blocks'])], { caller });
    for (const caller of ['192.0.2.7', '192.0.2.8']) site.send([outcome(site.view())], { caller });
    const [cell] = await site.cells('mfe-blocks');
    expect(bits(cell?.networks)).toBeGreaterThan(14);
    expect(bits(cell?.networks)).toBeLessThanOrEqual(20);
    expect(bits(cell?.visitors) - bits(cell?.networks)).toBeLessThanOrEqual(1);
    expect(v.is(EdgeSumsSchema, site.batches[0])).toBe(true);
  });

  test('forms and slow pages count by their senders, regardless of other views', async () => {
    const site = createSignalHarness();
    for (const caller of networks(20)) site.send([outcome(site.view())], { caller });
    const [failing, sending, slow] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];
    for (let time = 0; time < 3; time += 1)
      site.send([{ kind: 'form', view: site.view(), sent: false }], { caller: failing });
    site.send([{ kind: 'form', view: site.view(), sent: true }], { caller: sending });
    for (const lcp of [900, 5_000, 2_000])
      site.send([{ kind: 'vitals', view: site.view(), lcp }], { caller: slow });
    const [cell] = await site.cells('mfe-blocks');
    expect(v.is(EdgeSumsSchema, site.batches[0])).toBe(true);
    expect(bits(cell?.visitors)).toBeGreaterThan(14);
    expect([bits(cell?.formSenders), bits(cell?.failedFormSenders)]).toEqual([2, 1]);
    expect(cell?.lcpSlowest).toEqual([[expect.any(Number), sketchBucket(5_000)]]);
    expect(cell?.inpSlowest).toBeUndefined();
  });

  describe('each browser engine has its own cells', () => {
    const agents = [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'a program',
    ];
    async function cellsOfAgents() {
      const site = createSignalHarness();
      for (const userAgent of agents)
        site.send([outcome(site.view()), { kind: 'vitals', view: site.view(), interactive: 1_000 }], {
          userAgent,
        });
      const cells = await site.cells('mfe-blocks');
      expect(v.is(EdgeSumsSchema, site.batches[0])).toBe(true);
      return cells;
    }

    test('nothing else of the user agent is stored', async () => {
      const cells = await cellsOfAgents();
      expect(cells.map(({ engine, views }) => [engine, views])).toEqual([
        ['chromium', 1],
        ['gecko', 1],
        ['webkit', 2],
        ['other', 1],
      ]);
      expect(JSON.stringify(cells)).not.toMatch(/Mozilla|CriOS|Firefox/);
    });

    test('in WebKit, the slowest time to interactive of each network is sent, since others may be missing', async () => {
      const slowest = (await cellsOfAgents()).map(({ interactiveSlowest }) => interactiveSlowest?.length);
      expect(slowest).toEqual([undefined, undefined, 1, undefined]);
    });

    test("changing the browser name does not raise a network's count", async () => {
      const site = createSignalHarness();
      for (const userAgent of [...agents, ...agents, ...agents])
        site.send([outcome(site.view(), ['mfe-blocks'])], { userAgent });
      const cells = await site.cells('mfe-blocks');
      expect(cells.reduce((sum, { faults }) => sum + faults, 0)).toBe(5);
    });
  });

  test('the edge sanitizes messages again, and groups equal ones with their browsers', async () => {
    const site = createSignalHarness();
    const fault = {
      kind: 'error',
      app: 'mfe-blocks',
      message: 'ada@example.com 1234567\nsecond',
      file: '/assets/mfe-blocks/a.js',
      line: 3,
    } as const;
    const userAgents = ['Mozilla/5.0 Firefox/145.0', 'Mozilla/5.0 Firefox/144.0', 'curl/8.14.1'];
    for (const [index, caller] of networks(3).entries())
      site.send([{ kind: 'faults', view: site.view(), faults: [fault] }], {
        caller,
        userAgent: userAgents[index] ?? '',
      });
    await site.cells('shell');
    expect(site.batches[0]?.faults).toEqual([
      {
        ...fault,
        message: '@ #',
        version: site.view().version,
        route: '/blocks',
        count: 3,
        browsers: { Firefox: 2, other: 1 },
      },
    ]);
  });
});

describe('a fault counts once per view', () => {
  const fault = {
    kind: 'error',
    app: 'mfe-blocks',
    message: 'x is undefined',
    file: '/assets/mfe-blocks/a.js',
    line: 3,
    column: 4,
  } as const;
  const told = async (site: ReturnType<typeof createSignalHarness>) => {
    await site.cells('shell');
    return site.batches.flatMap(({ faults }) => faults.map(({ message, count }) => [message, count]));
  };

  test('even if repeated, in one report or in several', async () => {
    const site = createSignalHarness();
    const token = site.token();
    const tell = (faults: readonly (typeof fault)[], changes: Partial<SignalView> = {}) =>
      site.send([{ kind: 'faults', view: site.view(changes), faults: [...faults] }], { token });
    tell([fault, fault]);
    tell([fault]);
    site.pass(REPORT_TOKEN_MS / 2);
    tell([fault]);
    expect(await told(site)).toEqual([['x is undefined', 1]]);
    expect(site.dropped).toEqual({ repeated: 2 });
  });

  test('in the next view of the document, in another document, and at another place it is counted again', async () => {
    const site = createSignalHarness();
    const token = site.token();
    const tell = (line: number, number: number, sent: object) =>
      site.send([{ kind: 'faults', view: site.view({ number }), faults: [{ ...fault, line }] }], sent);
    tell(3, 0, { token });
    tell(3, 1, { token });
    tell(3, 0, {});
    expect(await told(site)).toEqual([['x is undefined', 3]]);
    tell(4, 0, { token });
    expect(await told(site)).toContainEqual(['x is undefined', 1]);
    expect(site.dropped).toEqual({});
  });

  test('with its version and route, which may be those of another app', async () => {
    const site = createSignalHarness();
    const token = site.token();
    const ofShell = { ...fault, app: 'shell', file: '/assets/shell/main.js' };
    for (const number of [0, 1])
      site.send([{ kind: 'faults', view: site.view({ number }), faults: [ofShell, ofShell, fault] }], {
        token,
      });
    await site.cells('shell');
    const twice = { count: 2, browsers: { other: 2 } };
    expect(site.batches[0]?.faults).toEqual([
      { ...ofShell, version: site.shellVersion, route: '/blocks', ...twice },
      { ...fault, version: site.view().version, route: '/blocks', ...twice },
    ]);
  });
});

describe('rejected reports', () => {
  test.each([
    ['of a document that is not served', { document: 'other/mfe-blocks@1.0.0-0123456789ab' }, {}, 'token'],
    ['of a page that there is not', {}, { route: '/nowhere' }, 'not-served'],
    ['of another app than the page has', {}, { app: 'mfe-marketing' }, 'other-page'],
    ['of a version that is not live', {}, { version: '9.9.9-0123456789ab' }, 'not-served'],
    ['of a variant that the page has not', {}, { variant: 'headline=a' }, 'not-served'],
    [
      'with a forged token',
      { token: 'v3.zzzzzzzz.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA' },
      {},
      'token',
    ],
    ['with no token', { token: '' }, {}, 'token'],
  ])('a report %s', (_what, sent, view, reason) => {
    const site = createSignalHarness();
    site.send([outcome(site.view(view))], sent);
    expect([site.taken, site.dropped]).toEqual([{}, { [reason]: 1 }]);
  });

  test('a token of another network, of another document, and a report about a page of another app', () => {
    const site = createSignalHarness();
    const report = [outcome(site.view(), ['mfe-blocks'])];
    for (const caller of networks(14)) site.send(report, { caller, token: site.token() });
    site.send(report, { token: site.token({ release: 'r2' }) });
    expect([site.taken, site.dropped]).toEqual([{}, { token: 15 }]);
    site.send(report, { token: site.token({ page: '/home' }) });
    expect([site.taken, site.dropped]).toEqual([{}, { token: 16 }]);
    site.send(report, { token: site.token({ page: '/home' }), document: site.key({ page: '/home' }) });
    expect([site.taken, site.dropped]).toEqual([{}, { token: 16, 'other-page': 1 }]);
    const home = { app: 'mfe-marketing', version: site.homeVersion, route: '/home' };
    const fault = { kind: 'error', app: 'mfe-blocks', message: 'x is undefined' } as const;
    site.send([{ kind: 'faults', view: site.view(home), faults: [fault] }]);
    expect(site.batches.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('of a network on the side of the canary that its address does not belong to', () => {
    const site = createSignalHarness({ share: 10 });
    const callers = networks(1_000).map((caller) => caller.replace('10.', '45.'));
    for (const caller of callers)
      site.send([outcome(site.view({ version: site.canaryVersion }))], { caller, release: 'r2' });
    const inCanary = site.taken['outcome'] ?? 0;
    expect(inCanary).toBeGreaterThan(60);
    expect(inCanary).toBeLessThan(140);
    site.pass(60_000);
    for (const caller of callers) site.send([outcome(site.view())], { caller });
    expect(site.taken).toEqual({ outcome: 1_000 });
    expect(site.dropped).toEqual({ 'other-cohort': 1_000 });
    // Visitors of a private network may share one address.
    for (const caller of ['127.0.0.1', '10.1.2.3', '0:0:0:0', 'fd00:1:2:3'])
      expect([site.counter.networkBucket(caller), site.counter.networkBucket('192.0.2.1')]).toEqual([
        null,
        expect.any(Number),
      ]);
  });

  test('a repeated report, in any request', () => {
    const site = createSignalHarness();
    const token = site.token();
    const view = site.view();
    for (let times = 0; times < 10; times += 1)
      site.send([outcome(view), { kind: 'form', view, sent: true }], { token });
    expect(site.taken).toEqual({ outcome: 1, form: 5 });
    expect(site.dropped).toEqual({ repeated: 9, network: 5 });
    // Another view of the same document is distinct.
    site.send([outcome(site.view({ number: 1 }))], { token });
    expect(site.taken).toMatchObject({ outcome: 2 });
  });

  test('an expired token, and a modified one', () => {
    const site = createSignalHarness();
    const token = site.token();
    const [version, end, ...rest] = token.split('.');
    const changed = [version, (Number.parseInt(end ?? '', 36) - 1).toString(36), ...rest].join('.');
    site.send([outcome(site.view())], { token: changed });
    site.pass(REPORT_TOKEN_MS);
    site.send([outcome(site.view())], { token });
    expect([site.taken, site.dropped]).toEqual([{}, { token: 2 }]);
  });

  test('a used token stays used until it expires', () => {
    const site = createSignalHarness();
    site.pass(REPORT_TOKEN_MS - 1);
    const token = site.token();
    site.send([outcome(site.view())], { token });
    site.pass(REPORT_TOKEN_MS - 1);
    site.send([outcome(site.view())], { token });
    expect([site.taken, site.dropped]).toEqual([{ outcome: 1 }, { repeated: 1 }]);
  });

  test("without the registry's key no token is issued or valid", () => {
    const [keyed, keyless] = [createTokens(Date.now), createTokens(Date.now)];
    keyed.useKey(createSecret());
    const scope = { network: '192.0.2', document: 'frame/mfe-blocks@1.0.0-0123456789ab' };
    const token = keyed.make(scope) ?? '';
    expect(keyed.read(token, scope)).not.toBeNull();
    expect([keyless.make(scope), keyless.read(token, scope)]).toEqual([null, null]);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://www.example.com' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example', host: 'www.example.com' }],
    // Other servers on the same host, and the site's own without TLS.
    [{ origin: 'https://www.example.com:8443', host: 'www.example.com:8443' }],
    [{ origin: 'http://www.example.com', host: 'www.example.com' }],
    // DNS rebinding: another site's name that resolves to the site's address.
    [{ origin: 'https://evil.example', host: 'evil.example' }],
    [{ origin: 'null', host: 'www.example.com' }],
    [{}],
  ])('what the pages of other sites make browsers send: %j', (headers) => {
    const site = createSignalHarness();
    site.counter.take(Buffer.from('{}'), { caller: '192.0.2.1', headers });
    expect(site.dropped).toEqual({ 'other-origin': 1 });
  });

  test('an older browser sends only the origin', () => {
    const site = createSignalHarness();
    // The proxy in front determines the URL that the edge sees.
    const headers = { origin: 'https://www.example.com', host: '10.0.0.7:8080' };
    site.counter.take(Buffer.from('{}'), { caller: '192.0.2.1', headers });
    expect(site.dropped).toEqual({ token: 1 });
  });

  test('a late outcome, such as of a suspended device', () => {
    const site = createSignalHarness();
    site.send([{ ...outcome(site.view()), age: 8_001 } as never]);
    expect(site.dropped).toEqual({ late: 1 });
  });
});

describe('no network counts as many', () => {
  test('one network counts as at most five views of a version a minute', async () => {
    const site = createSignalHarness();
    for (let host = 0; host < 200; host += 1)
      site.send([outcome(site.view(), ['mfe-blocks'])], { caller: `192.0.2.${host}` });
    const [cell] = await site.cells('mfe-blocks');
    expect([cell?.views, cell?.faults]).toEqual([5, 5]);
    // An IPv6 /48 also counts as one network.
    for (let net = 0; net < 200; net += 1)
      site.send([outcome(site.view(), ['mfe-blocks'])], { caller: `2001:db8:1:${net.toString(16)}` });
    const all = await site.cells('mfe-blocks');
    expect(all.reduce((views, { views: more }) => views + more, 0)).toBe(10);
  });

  test('a network gets a bounded number of tokens, and another network still gets its own', () => {
    const { shown } = createSignalHarness();
    const site = createSignalHarness({ shown: { ...shown, canaries: () => [], sets: () => [] } });
    const tokenFor = (caller: string) => site.counter.tokenFor(caller, '/blocks').token;
    const given = Array.from({ length: 1_000 }, () => tokenFor('192.0.2.1'));
    expect(given.filter((token) => token !== null)).toHaveLength(120);
    expect(tokenFor('192.0.3.1')).not.toBeNull();
    site.pass(60_000);
    expect(tokenFor('192.0.2.1')).not.toBeNull();
    expect(site.counter.tokenFor('192.0.3.1', '/nowhere').token).toBeNull();
    expect(createSignalHarness().counter.tokenFor('192.0.3.1', '/blocks').token).toBeNull();
  });

  test('a body that is not a list of reports, and too many reports in a request', () => {
    const site = createSignalHarness();
    for (const sent of [{}, Array.from({ length: 21 }, () => ({}))])
      site.counter.takeBrowserReports(Buffer.from(JSON.stringify(sent)), {
        caller: '10.0.0.1',
        headers: sameOrigin,
      });
    expect(site.dropped).toEqual({ malformed: 2 });
  });

  test('10,000 forged reports a second for ten seconds are all dropped', async () => {
    const site = createSignalHarness();
    const view = site.view();
    const good = site.token();
    const body = (token: string) =>
      Buffer.from(JSON.stringify({ token, release: 'r1', reports: [outcome(view, ['mfe-blocks'])] }));
    const forged = [body('x'), body(good.replace(/.(?=\.[^.]+$)/, (last) => (last === 'a' ? 'b' : 'a')))];
    const callers = networks(2_000);
    for (let sent = 0; sent < 100_000; sent += 1)
      site.counter.take(forged[sent % 2] as Buffer, {
        caller: callers[sent % callers.length] as string,
        headers: sameOrigin,
      });
    // A concurrent visitor.
    site.send([outcome(view)], { caller: '198.51.100.1' });
    expect(site.taken).toEqual({ outcome: 1 });
    expect(sum(site.dropped)).toBe(100_000);
    expect(await site.cells('mfe-blocks')).toMatchObject([{ views: 1, faults: 0 }]);
  });

  test("reports above a network's quota use no memory, and count in the next minute", () => {
    const site = createSignalHarness();
    for (let views = 0; views < 5; views += 1) site.send([outcome(site.view())]);
    const token = site.token();
    site.send([outcome(site.view())], { token });
    expect([site.taken, site.dropped]).toEqual([{ outcome: 5 }, { network: 1 }]);
    site.pass(60_000);
    site.send([outcome(site.view())], { token });
    expect([site.taken, site.dropped]).toEqual([{ outcome: 6 }, { network: 1 }]);
  });

  test('10,000 distinct messages fill one list, and do not affect outcomes', async () => {
    const site = createSignalHarness();
    networks(1_000).forEach((caller, index) => {
      const faults = Array.from({ length: 10 }, (_, more) => ({
        kind: 'error' as const,
        app: 'mfe-blocks',
        // Words, because long numbers are removed.
        message: `message ${String.fromCodePoint(0x4e00 + index * 10 + more)}`,
      }));
      site.send([{ kind: 'faults', view: site.view(), faults }, outcome(site.view())], { caller });
    });
    const [cell] = await site.cells('mfe-blocks');
    expect(site.batches[0]?.faults).toHaveLength(MAX_FAULT_SUMS);
    expect(cell?.views).toBe(1_000);
    expect(Object.keys(site.dropped)).toEqual(['distinct']);
  });
});

describe('100,000 valid and invalid reports', () => {
  const text = fc.string({ unit: 'binary', maxLength: 190 });
  const word = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('mfe-blocks', 'shell', '__proto__', 'constructor', '/blocks', 'live', 'first', 'outcome'),
  );
  const anything = fc.oneof(fc.anything({ maxDepth: 2 }), word, fc.double(), fc.constant(null));

  const fitting = (view: SignalView) => {
    const about = fc.nat(99).map((number) => ({ ...view, number }));
    const app = fc.constantFrom('mfe-blocks', 'shell', 'mfe-none');
    const fault = fc.record({ kind: fc.constantFrom('error', 'load'), app, message: text });
    return fc.oneof(
      fc.record({
        kind: fc.constant('outcome'),
        view: about,
        stretch: fc.constant('first'),
        age: fc.nat(8_000),
        faulty: fc.array(app, { maxLength: 5 }),
      }),
      fc.record({ kind: fc.constant('vitals'), view: about, lcp: fc.nat(120_000), cls: fc.nat(10_000) }),
      fc.record({
        kind: fc.constant('faults'),
        view: about,
        faults: fc.array(fault, { minLength: 1, maxLength: 10 }),
      }),
      fc.record({ kind: fc.constant('form'), view: about, sent: fc.boolean() }),
    );
  };
  const odd = fc.oneof(
    fc.record(
      { kind: word, view: anything, stretch: word, age: fc.double(), faulty: fc.array(word) },
      { requiredKeys: [] },
    ),
    fc.record({ kind: fc.constant('faults'), view: anything, faults: fc.array(anything) }),
    anything,
  );

  test('cause no error, and the registry accepts the sums', async () => {
    const site = createSignalHarness();
    const fit = fc.sample(fitting(site.view()), { numRuns: 60_000, seed: 13 });
    const odds = fc.sample(odd, { numRuns: 40_000, seed: 14 });
    for (let index = 0; index < 10_000; index += 1) {
      // Three requests of ten valid reports, then two of invalid ones, some of them truncated.
      const ten = (index % 5 < 3 ? fit : odds).splice(0, 10);
      const caller = `10.${index & 15}.${index % 251}.1`;
      const release = index % 7 ? 'r1' : 'r2';
      const sent = { token: site.token({ caller, release }), document: site.key({ release }), reports: ten };
      const body = Buffer.from(JSON.stringify(sent));
      site.counter.take(index % 50 ? body : body.subarray(0, -7), {
        caller,
        headers: sameOrigin,
      });
      if (index % 100 > 0) continue;
      site.pass(5_000);
      await site.counter.tick();
    }
    await site.cells('shell');
    expect(Object.keys(site.taken).sort()).toEqual(['faults', 'form', 'outcome', 'vitals']);
    expect(Object.keys(site.dropped).sort()).toEqual([
      'distinct',
      'malformed',
      'network',
      'not-served',
      'repeated',
    ]);
    for (const batch of site.batches) expect(v.safeParse(EdgeSumsSchema, batch).issues).toBeUndefined();
  });
});
