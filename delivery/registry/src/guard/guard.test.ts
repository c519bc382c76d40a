import type { AuditAnswer, ChangeAnswer, ChannelAnswer } from '@site/contract';
import type { Cell } from '@site/contract/signals/sums.schema';
import type { Database } from '@site/server/open-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { guardWasLast, insertAction, type GuardAction } from './guard-action.repository.ts';
import { createRegistryApp } from '../create-registry-app.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@site/server/durations';
import { createHarness, registryTables, testAuditKey, type Harness } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';
import { makeCell, networks, testEdge, type TestEdge } from '../testing/signals.ts';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });
const version = (contents: number) => blocks(contents).version;

let edge: TestEdge;
let registry: Harness;

/**
 * A shell, mfe-blocks and mfe-partners are live, two more versions of mfe-blocks are published, and an edge reports.
 */
async function makeSite(database: Database): Promise<Harness> {
  registry = await createHarness(database);
  await registry.once('versions to guard', async () => {
    await registry.startSite();
    for (const manifest of [blocks(2), blocks(3)]) await registry.publish(manifest);
  });
  edge = testEdge(registry);
  // The first release is no longer recent.
  pass(2 * HOUR_MS);
  await registry.look();
  return registry;
}

function pass(ms: number): void {
  registry.clock.now = new Date(registry.clock.now.getTime() + ms);
}

const post = (path: string, body: object, sent: object = {}) =>
  registry.send<ChangeAnswer>('POST', `/v1/channels/production/${path}`, {
    body: { reason: 'a test', ...body },
    ...sent,
  });
const channel = async () => (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body;
const running = async () => (await channel()).canaries.map(({ release }) => release.id);
const startCanary = (contents: number) =>
  post('releases', { apps: { 'mfe-blocks': version(contents) }, share: 10 });
const activate = (contents: number) => post('releases', { apps: { 'mfe-blocks': version(contents) } });
const setPolicy = (mode: string | null, app?: string) => post('guard', { mode, app });
const actions = () =>
  registryTables(registry).selectFrom('guard_actions').selectAll().orderBy('at').execute();
const quarantined = async () =>
  (await registryTables(registry).selectFrom('quarantines').select(['app', 'version', 'by']).execute()).map(
    (row) => ({ ...row }),
  );
const audit = async () =>
  (await registry.send<AuditAnswer>('GET', '/v1/audit?limit=20')).body.events.filter(
    ({ by }) => by === 'guard',
  );

const views = (contents: number, count: number, more: Partial<Cell> = {}) =>
  makeCell({ app: 'mfe-blocks', version: version(contents), views: count, ...more });

const canaryWith = (contents: number, count: number, faults: number): Cell[] => [
  views(contents, count, { role: 'canary', faults }),
  views(1, count * 9),
];

/** The guard runs after each of this many batches, and after the last one. */
const BATCHES_OF_A_LOOK = 5;

/** Some seconds of visitors, reported in batches of two. */
async function seconds(batches: number, cells: readonly Cell[]): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    pass(2_000);
    await edge.tell(cells, {
      faults: cells.flatMap(({ app, version: of, route, faults }) =>
        faults > 0
          ? [{ kind: 'error', app, version: of, route, message: 'x is undefined', count: faults }]
          : [],
      ),
    });
    if (batch === batches - 1 || batch % BATCHES_OF_A_LOOK === BATCHES_OF_A_LOOK - 1) await registry.look();
  }
}

/** An hour of data before any judgement, so it can be reported in one batch. */
const record = (cell: Cell) => seconds(1, [cell]);

const trackRecord = (faults: number) => record(views(1, 2_500, { faults }));

/** Activates mfe-blocks 2 and proves it to be good. */
async function proveSecond(): Promise<void> {
  await trackRecord(0);
  await activate(2);
  await registry.look();
  await seconds(30, [views(2, 250)]);
}

describe('the guard', () => {
  forEachTest(makeSite);

  describe('of a canary', () => {
    test('ends one with faults that the live version does not have, and states why', async () => {
      await startCanary(2);
      await registry.look();
      await seconds(5, canaryWith(2, 40, 20));
      const now = await channel();
      expect(now.canaries).toEqual([]);
      expect(now.release?.apps['mfe-blocks']).toBe(version(1));
      expect(await quarantined()).toEqual([{ app: 'mfe-blocks', version: version(2), by: 'guard' }]);
      const [ended, quarantine] = (await audit()).toSorted((a, b) => b.sequence - a.sequence);
      const why =
        /^\/blocks failed \(browsers reported 'x is undefined'\) in \d+ of \d+ views with 1\.0\.0-000000000002, (in )?0 of [\d,]+ with 1\.0\.0-000000000001$/;
      expect(ended).toMatchObject({
        action: 'canary.aborted',
        subject: 'r2',
        details: { reason: expect.stringMatching(why) as string },
      });
      expect(quarantine).toMatchObject({
        action: 'version.quarantined',
        subject: `mfe-blocks@${version(2)}`,
        details: { reason: expect.stringMatching(why) as string },
      });
      expect(await actions()).toMatchObject([
        { did: 'acted', subject: 2, app: 'mfe-blocks', version: version(2), why: 'a canary is bad' },
      ]);
    });

    test('does not act on a copied database until the copy is confirmed', async () => {
      const verify = () => registry.send('POST', '/v1/verifications', { body: {} });
      await verify();
      const { records } = registry.store;
      for (const name of await records.names()) await records.delete(name);
      await verify();
      await startCanary(2);
      await registry.look();
      await seconds(5, canaryWith(2, 40, 20));
      expect([await running(), await actions()]).toEqual([['r2'], []]);
      await registry.send('POST', '/v1/recoveries', { body: { reason: 'a test copy' } });
      await seconds(1, canaryWith(2, 40, 20));
      expect(await running()).toEqual([]);
    });

    test("names the page's error, but nothing that can be reported without a token", async () => {
      await startCanary(2);
      await registry.look();
      const message = 'call 555 now, evil.example';
      const told = { app: 'mfe-blocks', version: version(2), route: '/blocks', message, count: 60 };
      await edge.tell([], {
        faults: (['crash', 'csp', 'integrity'] as const).map((kind) => ({ ...told, kind })),
      });
      await seconds(5, canaryWith(2, 40, 20));
      expect((await actions()).map(({ evidence }) => evidence)).toEqual([
        expect.stringContaining("failed (browsers reported 'x is undefined') in") as string,
      ]);
    });

    test('does nothing if both versions are equal, and considers the new one good', async () => {
      await startCanary(2);
      await registry.look();
      await seconds(
        30,
        canaryWith(2, 40, 1).map((cell) =>
          cell.role === 'live' ? { ...cell, faults: 9, networks: networks(9) } : cell,
        ),
      );
      expect(await running()).toEqual(['r2']);
      expect(await actions()).toEqual([]);
      const standings = await registryTables(registry).selectFrom('version_standings').selectAll().execute();
      expect(standings).toMatchObject([{ app: 'mfe-blocks', version: version(2) }]);
      // It is permanent, so it contains no browser messages.
      expect(standings[0]?.evidence).toMatch(/^The site failed in \d+ of [\d,]+ views/);
    });

    test('ignores reports of a single network', async () => {
      await startCanary(2);
      await registry.look();
      const alone = { networks: networks(1), visitors: networks(1) };
      await seconds(
        30,
        canaryWith(2, 5, 5).map((cell) => (cell.role === 'canary' ? { ...cell, ...alone } : cell)),
      );
      expect(await running()).toEqual(['r2']);
    });

    test('ignores forms that fail for one network, regardless of the other visitors', async () => {
      await startCanary(2);
      await registry.look();
      const one = { formSenders: networks(1, 200), failedFormSenders: networks(1, 200) };
      for (let batch = 0; batch < 40; batch++)
        await seconds(1, [
          views(2, 20, { role: 'canary', visitors: networks(20, 5 * batch), formsFailed: 1, ...one }),
          views(1, 180, { formsSent: 9 }),
        ]);
      expect(await running()).toEqual(['r2']);
    });

    test('ends one whose forms fail for many networks', async () => {
      await startCanary(2);
      await registry.look();
      for (let batch = 0; batch < 10; batch++) {
        const senders = networks(5, 5 * batch);
        await seconds(1, [
          views(2, 20, { role: 'canary', formsFailed: 5, formSenders: senders, failedFormSenders: senders }),
          views(1, 180, { formsSent: 9 }),
        ]);
      }
      expect(await running()).toEqual([]);
      expect((await actions())[0]?.evidence).toMatch(/^On \/blocks a form could not be sent/);
    });

    test('ignores slow pages of one network, regardless of the other visitors', async () => {
      await record(views(1, 3_000, { lcp: [[140, 3_000]] }));
      await startCanary(2);
      await registry.look();
      await seconds(60, [
        views(2, 40, { role: 'canary', lcp: [[180, 5]], lcpSlowest: [[7, 180]] }),
        views(1, 100, { lcp: [[140, 100]] }),
      ]);
      expect(await running()).toEqual(['r2']);
    });

    test('ignores faults that the live version also has', async () => {
      await startCanary(2);
      await registry.look();
      await seconds(10, [views(2, 20, { role: 'canary', faults: 10 }), views(1, 180, { faults: 90 })]);
      expect(await running()).toEqual(['r2']);
      expect(await actions()).toEqual([]);
    });

    test('ends one that is slower than the live version was before', async () => {
      await record(
        views(1, 3_000, {
          lcp: [
            [140, 2_400],
            [144, 600],
          ],
        }),
      );
      await startCanary(2);
      await registry.look();
      await seconds(5, [
        views(2, 40, { role: 'canary', lcp: [[147, 40]] }),
        views(1, 100, {
          lcp: [
            [140, 80],
            [144, 20],
          ],
        }),
      ]);
      expect(await running()).toEqual([]);
      expect((await actions())[0]?.evidence).toMatch(/LCP .* in 40 of 40 views with/);
    });

    test("ends one whose shell makes other apps' pages slower than before", async () => {
      await record(views(1, 3_000, { lcp: [[140, 3_000]] }));
      const shell = shellManifest({ contents: 2 });
      await registry.publish(shell);
      await post('releases', { apps: { shell: shell.version }, share: 10 });
      await registry.look();
      const own = { app: 'shell', version: shell.version, views: 40 };
      await seconds(5, [
        views(1, 100, { lcp: [[140, 100]] }),
        makeCell({ ...own, role: 'canary', lcp: [[147, 40]] }),
        makeCell({ ...own, version: version(1), lcp: [[140, 40]] }),
      ]);
      expect(await running()).toEqual([]);
      expect(await actions()).toMatchObject([
        {
          app: 'shell',
          evidence: expect.stringMatching(/^The site was slow \(LCP above .* in 40 of 40/) as string,
        },
      ]);
    });

    test('tolerates one that is five percent slower', async () => {
      await record(views(1, 3_000, { lcp: [[140, 3_000]] }));
      await startCanary(2);
      await registry.look();
      await seconds(60, [
        views(2, 40, { role: 'canary', lcp: [[141, 40]] }),
        views(1, 100, { lcp: [[140, 100]] }),
      ]);
      expect(await running()).toEqual(['r2']);
    });

    test('only suggests it, once, or does nothing, according to the policy', async () => {
      await setPolicy('suggest');
      await startCanary(2);
      await registry.look();
      await seconds(8, canaryWith(2, 40, 20));
      expect(await running()).toEqual(['r2']);
      expect(await actions()).toMatchObject([{ did: 'suggested', why: 'the policy is to suggest' }]);
      // The app's own policy takes precedence.
      await setPolicy('off', 'mfe-blocks');
      await setPolicy('act');
      await registry.look();
      expect(await running()).toEqual(['r2']);
      await setPolicy(null, 'mfe-blocks');
      await registry.look();
      expect(await running()).toEqual([]);
      expect(await actions()).toMatchObject([{ did: 'suggested' }, { did: 'acted' }]);
    });

    test('is ended once by concurrent registries', async () => {
      const { database, store, composer, clock } = registry;
      let otherLooks = () => Promise.resolve();
      const other = await createRegistryApp({
        database,
        store,
        composer,
        auditKey: testAuditKey,
        now: () => clock.now,
        lookAgain(look) {
          otherLooks = look;
          return () => Promise.resolve();
        },
      });
      await other.ready();
      await startCanary(2);
      await Promise.all([registry.look(), otherLooks()]);
      await edge.tell(canaryWith(2, 200, 150));
      await Promise.all([registry.look(), otherLooks(), registry.look(), otherLooks()]);
      await other.close();
      expect(await actions()).toHaveLength(1);
      expect((await audit()).map(({ action }) => action)).toEqual(['canary.aborted', 'version.quarantined']);
    });

    describe('of two apps', () => {
      const partners = (contents: number) =>
        remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents });
      const both = [{ 'mfe-blocks': version(2) }, { 'mfe-partners': partners(2).version }];
      const of = (app: string) => ({ app, version: app === 'mfe-blocks' ? version(2) : partners(2).version });
      const partnersWith = (count: number, faults: number): Cell[] =>
        [
          { version: partners(2).version, views: count, faults, role: 'canary' as const },
          { version: partners(1).version, views: count * 9 },
        ].map((cell) => makeCell({ app: 'mfe-partners', route: '/partners', ...cell }));
      beforeEach(async () => {
        await registry.publish(partners(2));
        for (const apps of both) expect((await post('releases', { apps, share: 10 })).status).toBe(201);
        await registry.look();
      });

      test('ends both at the same time, each once and with its own evidence', async () => {
        await registry.send('POST', '/v1/alert-hooks', { body: { url: 'http://localhost:9/' } });
        await edge.tell([...canaryWith(2, 200, 150), ...partnersWith(200, 120)]);
        await registry.look();
        await registry.look();
        expect(await running()).toEqual([]);
        expect((await quarantined()).toSorted((a, b) => (a.app < b.app ? -1 : 1))).toEqual([
          { ...of('mfe-blocks'), by: 'guard' },
          { ...of('mfe-partners'), by: 'guard' },
        ]);
        expect((await actions()).toSorted((one, other) => (one.app < other.app ? -1 : 1))).toMatchObject([
          {
            ...of('mfe-blocks'),
            did: 'acted',
            evidence: expect.stringMatching(/^\/blocks .* 150 of 200/) as string,
          },
          {
            ...of('mfe-partners'),
            did: 'acted',
            evidence: expect.stringMatching(/^\/partners .* 120 of 200/) as string,
          },
        ]);
        const events = await audit();
        expect(events.map(({ action }) => action).sort()).toEqual([
          'canary.aborted',
          'canary.aborted',
          'version.quarantined',
          'version.quarantined',
        ]);
        const eventReason = (subject: string) =>
          events.find((event) => event.subject === subject)?.details['reason'];
        expect(eventReason(`mfe-partners@${partners(2).version}`)).toMatch(/^\/partners .* 120 of 200/);
        const alerts = await registryTables(registry).selectFrom('alerts').select('alert').execute();
        expect(alerts.map(({ alert }) => alert.subject).sort()).toEqual([
          `mfe-blocks@${version(2)}`,
          `mfe-partners@${partners(2).version}`,
        ]);
      });

      test('ends only the one without the policy "suggest"', async () => {
        await setPolicy('suggest', 'mfe-partners');
        await edge.tell([...canaryWith(2, 200, 150), ...partnersWith(200, 120)]);
        await registry.look();
        expect(await running()).toEqual(['r3']);
        expect(await quarantined()).toEqual([{ ...of('mfe-blocks'), by: 'guard' }]);
      });

      test('only one of which is bad: the other continues', async () => {
        await edge.tell([...canaryWith(2, 200, 150), ...partnersWith(200, 0)]);
        await registry.look();
        expect(await running()).toEqual(['r3']);
        expect(await quarantined()).toEqual([{ ...of('mfe-blocks'), by: 'guard' }]);
      });
    });

    test('that a user ended first is not changed', async () => {
      await startCanary(2);
      await registry.look();
      await edge.tell(canaryWith(2, 200, 150));
      await post('aborts', {});
      await registry.look();
      expect(await actions()).toEqual([]);
      expect(await audit()).toEqual([]);
    });

    test('is judged from the beginning if its stored state has another format', async () => {
      await startCanary(2);
      await registry.look();
      const state = JSON.stringify({ format: 0, limits: {}, comparison: { against: 'live' } });
      await registryTables(registry).updateTable('judgements').set({ state }).execute();
      await seconds(6, canaryWith(2, 40, 20));
      expect(await running()).toEqual([]);
    });

    test('works during a freeze, because it reduces the number of visitors', async () => {
      await startCanary(2);
      await post('freezes', {});
      await registry.look();
      await seconds(5, canaryWith(2, 40, 20));
      expect(await running()).toEqual([]);
    });
  });

  describe('of a release', () => {
    test('rolls it back if it is worse than the previous one', async () => {
      await trackRecord(0);
      await activate(2);
      await registry.look();
      await seconds(10, [views(2, 100, { faults: 60 })]);
      const now = await channel();
      expect(now.release).toMatchObject({ kind: 'rollback', by: 'guard' });
      expect(now.release?.apps['mfe-blocks']).toBe(version(1));
      expect(await quarantined()).toEqual([{ app: 'mfe-blocks', version: version(2), by: 'guard' }]);
      expect(await actions()).toMatchObject([
        { did: 'acted', why: 'a release is bad in its first ten minutes' },
      ]);
    });

    test('rolls it back if it fails for everyone, even with little data about the previous one', async () => {
      await record(views(1, 10));
      await activate(2);
      await registry.look();
      await seconds(20, [views(2, 60, { faults: 60 })]);
      expect((await channel()).release).toMatchObject({ kind: 'rollback', by: 'guard' });
      expect(await actions()).toMatchObject([
        { did: 'acted', evidence: expect.stringContaining('in 60 of 60 views') as string },
      ]);
    });

    test('does not act if some views fail and there is little data about the previous one', async () => {
      await activate(2);
      await registry.look();
      await seconds(20, [views(2, 20, { faults: 8 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toEqual([]);
    });

    describe('in several browser engines', () => {
      const inSafari = { engine: 'webkit' } as const;
      /** Safari has a tenth of the visitors, and a fifth of its views fail. */
      const recordOfTwo = () =>
        seconds(1, [
          views(1, 9_000, { engine: 'chromium' }),
          views(1, 1_000, { ...inSafari, faults: 200, interactive: [[140, 1_000]] }),
        ]);

      test('ignores more visitors with an engine that always failed more', async () => {
        await recordOfTwo();
        await activate(2);
        await registry.look();
        await seconds(20, [
          views(2, 150, { engine: 'chromium' }),
          views(2, 100, { ...inSafari, faults: 20 }),
        ]);
        expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
        expect(await actions()).toEqual([]);
      });

      test('rolls it back if it fails in one of them, and names it', async () => {
        await recordOfTwo();
        await activate(2);
        await registry.look();
        await seconds(10, [
          views(2, 90, { engine: 'chromium' }),
          views(2, 120, { ...inSafari, faults: 120 }),
        ]);
        expect((await channel()).release).toMatchObject({ kind: 'rollback', by: 'guard' });
        expect(await actions()).toMatchObject([
          {
            did: 'acted',
            evidence: expect.stringMatching(/ only in Safari, in \d+ of \d+ views with /) as string,
          },
        ]);
      });

      test('rolls it back if it becomes interactive later in Safari, which may report no other time', async () => {
        await recordOfTwo();
        await activate(2);
        await registry.look();
        await seconds(60, [
          views(2, 90, { engine: 'chromium' }),
          views(2, 60, {
            ...inSafari,
            faults: 12,
            interactive: [[150, 60]],
            interactiveSlowest: Array.from({ length: 60 }, (_, network) => [network, 150]),
          }),
        ]);
        expect(await actions()).toMatchObject([
          {
            did: 'acted',
            evidence: expect.stringMatching(
              /was slow \(time to interactive above .*\) in Safari, in 60 of 60 views/,
            ) as string,
          },
        ]);
      });

      test('also judges reports of the previous edge version, which name no engine', async () => {
        await trackRecord(0);
        await activate(2);
        await registry.look();
        await seconds(10, [views(2, 90, { faults: 60 }), views(2, 10, { engine: 'gecko' })]);
        expect((await channel()).release).toMatchObject({ kind: 'rollback', by: 'guard' });
      });
    });

    test('does not act if nothing has changed', async () => {
      await trackRecord(50);
      await activate(2);
      await registry.look();
      await seconds(20, [views(2, 250, { faults: 5 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toEqual([]);
    });

    test('of the shell: ignores faults of apps, which count only while a canary changes the shell', async () => {
      const shells = [2, 3].map((contents) => shellManifest({ contents }));
      for (const shell of shells) await registry.publish(shell);
      const shellWith = (contents: number, count: number, faults: number, more: Partial<Cell> = {}) =>
        makeCell({ app: 'shell', version: version(contents), views: count, faults, ...more });
      await record(shellWith(1, 2_500, 0));
      await post('releases', { apps: { shell: version(2) } });
      await registry.look();
      await post('releases', { apps: { shell: version(3) }, share: 10 });
      await registry.look();
      await seconds(10, [shellWith(2, 90, 20), shellWith(3, 10, 2, { role: 'canary' })]);
      await post('aborts', {});
      await registry.look();
      // Views from before it ended.
      await seconds(10, [shellWith(2, 100, 20)]);
      expect((await channel()).release?.apps['shell']).toBe(version(2));
      expect(await actions()).toEqual([]);
      pass(MINUTE_MS);
      await seconds(10, [shellWith(2, 100, 60)]);
      expect((await channel()).release?.apps['shell']).toBe(version(1));
    });

    test('suggests it once if the release is older than ten minutes', async () => {
      await trackRecord(0);
      await activate(2);
      await registry.look();
      pass(11 * MINUTE_MS);
      await seconds(10, [views(2, 100, { faults: 60 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toMatchObject([
        { did: 'suggested', why: 'the release is older than ten minutes' },
      ]);
    });

    test('only suggests it after ten minutes, even if it was found bad before, while the policy forbade acting', async () => {
      await trackRecord(0);
      await setPolicy('off');
      await activate(2);
      await registry.look();
      await seconds(10, [views(2, 100, { faults: 60 })]);
      pass(20 * MINUTE_MS);
      await setPolicy('act');
      await registry.look();
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toMatchObject([
        { did: 'suggested', why: 'the release is older than ten minutes' },
      ]);
    });

    const formsFail = (senders: string) =>
      views(2, 20, { formsFailed: 4, formSenders: senders, failedFormSenders: senders });

    test('only suggests it for failing forms, since their service may be the cause; faults still end it', async () => {
      await record(views(1, 2_500, { formsSent: 400 }));
      await activate(2);
      const tables = registryTables(registry);
      const standing = { app: 'mfe-blocks', version: version(2), views: 1, evidence: '', at: new Date() };
      await tables
        .insertInto('version_standings')
        .values({ channel: 'production', ...standing })
        .execute();
      await registry.look();
      for (let batch = 0; batch < 20; batch++) await seconds(1, [formsFail(networks(4, 4 * batch))]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      // A service outage must not make a version lose its track record.
      expect(await tables.selectFrom('version_standings').select('version').execute()).toEqual([
        { version: version(2) },
      ]);
      expect(await actions()).toMatchObject([
        { did: 'suggested', evidence: expect.stringContaining('a form could not be sent') as string },
      ]);
      await seconds(20, [views(2, 100, { faults: 60 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(1));
      expect(await actions()).toMatchObject([{ did: 'suggested' }, { did: 'acted' }]);
    });

    describe('that was found bad after ten minutes', () => {
      const verdicts = async () => {
        const { body } = await registry.app.inject({ method: 'GET', url: '/metrics' });
        return /site_registry_guard_verdicts\{.*channel="production",verdict="bad".*\} (\d+)/.exec(body)?.[1];
      };
      beforeEach(async () => {
        await trackRecord(0);
        await activate(2);
        await registry.look();
        pass(11 * MINUTE_MS);
        await seconds(10, [views(2, 100, { faults: 60 })]);
        expect(await verdicts()).toBe('1');
        pass(2 * HOUR_MS);
        await registry.look();
      });

      test('stays bad as long as it has visitors, without further actions', async () => {
        expect(await verdicts()).toBe('1');
        expect(await actions()).toMatchObject([{ did: 'suggested' }]);
        await post('rollbacks', { app: 'mfe-blocks' });
        await registry.look();
        expect(await verdicts()).toBe('0');
      });

      test('stays bad until ops disable the guard for it', async () => {
        await setPolicy('off', 'mfe-blocks');
        await registry.look();
        expect(await verdicts()).toBe('0');
      });
    });

    test('is not checked any more after an hour', async () => {
      await trackRecord(0);
      await activate(2);
      await registry.look();
      pass(61 * MINUTE_MS);
      await registry.look();
      await seconds(10, [views(2, 100, { faults: 60 })]);
      expect(await actions()).toEqual([]);
    });

    test('does not act twice in a row on one app without a user, even if a user started the canary before', async () => {
      await trackRecord(0);
      await activate(2);
      await registry.look();
      await startCanary(3);
      await registry.look();
      await seconds(10, [views(2, 100, { faults: 60 })]);
      expect((await channel()).release).toMatchObject({ by: 'guard', apps: { 'mfe-blocks': version(1) } });
      // The canary continues on top of the guard's rollback, and is bad as well.
      expect((await channel()).canaries[0]?.release.apps['mfe-blocks']).toBe(version(3));
      await seconds(10, canaryWith(3, 50, 30));
      expect((await channel()).canaries[0]?.release.apps['mfe-blocks']).toBe(version(3));
      expect(await actions()).toMatchObject([
        { version: version(2), did: 'acted' },
        {
          version: version(3),
          did: 'suggested',
          why: 'the guard made the last change of this app, and a person has to look first',
        },
      ]);
      // A user starts it again, so the guard may act again.
      await registry.publish(blocks(4));
      await post('aborts', {});
      await startCanary(4);
      await registry.look();
      await seconds(10, canaryWith(4, 50, 30));
      expect((await actions()).at(-1)).toMatchObject({ version: version(4), did: 'acted' });
    });

    test('is compared with the previously live version if the last good one has had no visitors for long', async () => {
      await registry.publish(blocks(4));
      await proveSecond();
      // It has too few visitors in its first hour to be proven.
      await activate(3);
      await registry.look();
      for (let day = 0; day < 8; day++) {
        pass(DAY_MS);
        await registry.look();
        await record(views(3, 1_250));
      }
      expect((await channel()).release?.lastGood['mfe-blocks']).toBe(version(2));
      await activate(4);
      await registry.look();
      await seconds(10, [views(4, 100, { faults: 60 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toMatchObject([
        { version: version(4), did: 'acted', evidence: expect.stringContaining(version(3)) as string },
      ]);
    });

    test('is compared with the last good version, even if the previous one had more views', async () => {
      await registry.publish(blocks(4));
      await proveSecond();
      await activate(3);
      await seconds(10, [views(3, 1_000, { faults: 600 })]);
      await activate(4);
      await registry.look();
      await seconds(10, [views(4, 100, { faults: 60 })]);
      expect((await actions()).at(-1)).toMatchObject({
        version: version(4),
        evidence: expect.stringContaining(version(2)) as string,
      });
    });

    test('is rolled back to a proven version, skipping unproven ones', async () => {
      await registry.publish(blocks(4));
      await proveSecond();
      await activate(3);
      await activate(4);
      expect((await channel()).release?.lastGood['mfe-blocks']).toBe(version(2));
      await registry.look();
      await seconds(10, [views(4, 100, { faults: 60 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
    });

    test('is rolled back to a proven version, however many unproven ones were live since', async () => {
      const since = Array.from({ length: 11 }, (_, index) => index + 3);
      for (const contents of since.slice(1)) await registry.publish(blocks(contents));
      await proveSecond();
      for (const contents of since) await activate(contents);
      expect((await channel()).release?.lastGood['mfe-blocks']).toBe(version(2));
      const back = await registry.rollBack({ app: 'mfe-blocks' });
      expect(back.body.putBack).toMatchObject({
        version: version(2),
        proven: expect.stringContaining('views') as string,
      });
    });

    test('of an app without a proven version is rolled back to the previous one, and the response says so', async () => {
      await activate(2);
      const unproven = await registry.rollBack({ app: 'mfe-blocks' });
      expect(unproven.body.putBack).toEqual({ app: 'mfe-blocks', version: version(1), proven: null });
      await trackRecord(0);
      await activate(3);
      await registry.look();
      await seconds(30, [views(3, 250)]);
      const back = await registry.rollBack({ app: 'mfe-blocks' });
      expect(back.body.putBack).toEqual({ app: 'mfe-blocks', version: version(1), proven: null });
    });

    test('is not proven if it was quarantined by a user, even if the quarantine was lifted', async () => {
      const standings = () =>
        registryTables(registry).selectFrom('version_standings').select('version').execute();
      const change = (what: 'quarantines' | 'unquarantines') =>
        registry.send('POST', `/v1/apps/mfe-blocks/versions/${version(2)}/${what}`, {
          body: { reason: 'a test' },
        });
      await proveSecond();
      expect(await standings()).toEqual([{ version: version(2) }]);
      await change('quarantines');
      await registry.look();
      expect(await standings()).toEqual([]);
      // Reports during its quarantine do not prove it.
      await seconds(30, [views(2, 250)]);
      expect(await standings()).toEqual([]);
      await change('unquarantines');
      await activate(3);
      expect((await registry.rollBack({ app: 'mfe-blocks' })).body.putBack).toMatchObject({ proven: null });
    });

    test('respects a freeze, reports it, and acts when it is lifted', async () => {
      await trackRecord(0);
      await activate(2);
      // The previous version was found bad in the meantime: no rollback target during a freeze.
      await registry.send('POST', `/v1/apps/mfe-blocks/versions/${version(1)}/quarantines`, {
        body: { reason: 'a test' },
      });
      await registry.send('POST', `/v1/apps/mfe-blocks/versions/${version(1)}/unquarantines`, {
        body: { reason: 'a test' },
      });
      await post('freezes', { app: 'mfe-blocks' });
      // A hook without a server: pending alerts stay in the table.
      await registry.send('POST', '/v1/alert-hooks', { body: { url: 'http://localhost:9/' } });
      await registry.look();
      await seconds(10, [views(2, 100, { faults: 60 })]);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
      expect(await actions()).toMatchObject([
        { did: 'refused', why: expect.stringContaining('frozen') as string },
      ]);
      // Regardless of the duration: it has retried since the first minutes.
      pass(20 * MINUTE_MS);
      await post('unfreezes', { app: 'mfe-blocks' });
      await registry.look();
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(1));
      const alerts = await registryTables(registry)
        .selectFrom('alerts')
        .select('alert')
        .orderBy('sequence')
        .execute();
      expect(alerts.map(({ alert }) => alert.kind)).toEqual(['refused', 'acted']);
    });
  });

  describe('records', () => {
    const acted: GuardAction = {
      subject: 1,
      app: 'mfe-blocks',
      version: version(1),
      did: 'acted',
      why: 'a test',
      evidence: 'a test',
      at: new Date('2026-01-01T12:00:00Z'),
    };
    const note = (action: GuardAction) => insertAction(registryTables(registry), 'production', action);

    test('that it acted once, and then suggests nothing about the same version', async () => {
      expect(await note({ ...acted, did: 'suggested' })).toBe(true);
      expect(await Promise.all([note(acted), note(acted)])).toHaveLength(2);
      expect(await note(acted)).toBe(false);
      expect(await note({ ...acted, did: 'suggested' })).toBe(false);
      expect((await actions()).map(({ did }) => did).sort()).toEqual(['acted', 'suggested']);
      await registryTables(registry).deleteFrom('guard_actions').where('did', '=', 'suggested').execute();
      expect(await note({ ...acted, did: 'suggested' })).toBe(false);
      expect(await note({ ...acted, app: 'mfe-partners' })).toBe(true);
    });

    test('that it was the last to change an app, until a user makes a release or a canary of it', async () => {
      const wasLast = (app: string) => guardWasLast(registryTables(registry), 'production', app, 'guard');
      expect(await wasLast('mfe-blocks')).toBe(false);
      await note({ ...acted, did: 'suggested' });
      expect(await wasLast('mfe-blocks')).toBe(false);
      await note(acted);
      expect([await wasLast('mfe-blocks'), await wasLast('mfe-partners')]).toEqual([true, false]);
      await startCanary(2);
      expect(await wasLast('mfe-blocks')).toBe(false);
    });
  });
});
