import type { Outcomes } from '@site/contract';
import type { ExperimentShown } from '@site/contract/registry-calls/view.calls';
import type { ExperimentSum } from '@site/contract/signals/sums.schema';
import { DAY_MS } from '@site/server/durations';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, siteConfig, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';
import { forgetSignals } from './signal.repository.ts';

const outcomes: Outcomes = [
  { name: 'sent', on: 'form' },
  { name: 'started', on: 'visit', path: '/blocks' },
];
const partnersWith = (headline: string[], contents: number) =>
  remoteManifest('mfe-partners', { variants: { headline }, outcomes, contents });
const partners = partnersWith(['a', 'b'], 2);

async function startExperiment(registry: Harness): Promise<void> {
  await registry.startSite();
  await registry.publish(partners);
  await registry.activate({ 'mfe-partners': partners.version });
}

const experimentCell = (experiments: Partial<ExperimentSum>[], version = partners.version) =>
  makeCell({
    app: 'mfe-partners',
    version,
    route: '/partners',
    views: 0,
    experiments: experiments.map((sum) => {
      return { variants: 'headline=a,b', choice: 'headline=a', views: 0, reached: {}, ...sum };
    }),
  });
const a = (views: number, sent = 0) => ({ views, reached: { sent } });
const b = (views: number, sent = 0) => ({ ...a(views, sent), choice: 'headline=b' });

async function read(registry: Harness): Promise<ExperimentShown[]> {
  const { status, body } = await registry.send<{ experiments: ExperimentShown[] }>(
    'GET',
    '/v1/channels/production/experiments',
  );
  expect(status).toBe(200);
  return body.experiments;
}

describe.each(databases)('experiments on $name', ({ start }) => {
  const registry = forEachTest((database) => createHarness(database), start);
  beforeEach(() => startExperiment(registry));

  test('are the live pages that declare outcomes, also before the first view', async () => {
    expect(await read(registry)).toEqual([
      {
        app: 'mfe-partners',
        page: '/partners',
        since: null,
        chosen: null,
        says: 'no views yet',
        choices: [
          { choice: { headline: 'a' }, views: 0, reached: {} },
          { choice: { headline: 'b' }, views: 0, reached: {} },
        ],
        outcomes: ['sent', 'started'].map((name) => ({
          ...{ name, is: 'even', says: 'no difference' },
          ...{ leader: null, lift: null, low: null, high: null, chance: null },
        })),
      },
    ]);
  });

  test('add up over batches, versions and roles', async () => {
    const edge = testEdge(registry);
    await edge.tell([experimentCell([a(10, 2), b(11, 3)]), { ...experimentCell([a(1)]), role: 'canary' }]);
    await edge.tell([experimentCell([b(5, 1), { ...a(4), reached: { started: 2 } }], '1.0.0-000000000009')]);
    const [experiment] = await read(registry);
    expect(experiment?.choices).toEqual([
      { choice: { headline: 'a' }, views: 15, reached: { sent: 2, started: 2 } },
      { choice: { headline: 'b' }, views: 16, reached: { sent: 4 } },
    ]);
    expect(experiment?.says).toBe('B leads by 100 % ± 187, 31 views, not decided');
  });

  test('name a winner when the first outcome differs enough', async () => {
    const edge = testEdge(registry);
    await edge.tell([experimentCell([a(10_000, 500), b(10_050, 700)])]);
    const [experiment] = await read(registry);
    expect(experiment?.says).toMatch(/^B wins by 40 % ± 2\d, 1 in [\d,]+ by chance, 20,050 views$/);
    expect(experiment?.outcomes).toMatchObject([
      { name: 'sent', is: 'won', leader: { headline: 'b' } },
      { name: 'started', is: 'even' },
    ]);
  });

  test('begin again with other variants, whose counts are not comparable', async () => {
    const edge = testEdge(registry);
    await edge.tell([experimentCell([a(10, 2), b(11, 3)])]);
    const other = partnersWith(['a', 'c'], 3);
    await registry.publish(other);
    await registry.activate({ 'mfe-partners': other.version });
    await edge.tell([experimentCell([{ ...a(4), variants: 'headline=a,c' }], other.version)]);
    const [experiment] = await read(registry);
    expect(experiment?.choices).toMatchObject([
      { choice: { headline: 'a' }, views: 4 },
      { choice: { headline: 'c' }, views: 0 },
    ]);
  });

  test('end with a configuration that shows one variant to everyone, and keep their counts', async () => {
    const edge = testEdge(registry);
    await edge.tell([experimentCell([a(10, 2), b(11, 3)])]);
    const config = { ...siteConfig, chosenVariants: { '/partners': { headline: 'b' } } };
    expect((await registry.activate({}, { config })).status).toBe(201);
    expect(await read(registry)).toMatchObject([
      {
        chosen: { headline: 'b' },
        says: 'ended: everyone sees B',
        choices: [{ views: 10 }, { views: 11 }],
      },
    ]);
  });

  test('are forgotten 90 days after their last view', async () => {
    const edge = testEdge(registry);
    const { clock, database } = registry;
    await edge.tell([experimentCell([a(10, 2), b(11, 3)])]);
    clock.now = new Date(clock.now.getTime() + 60 * DAY_MS);
    await edge.tell([experimentCell([a(1)])]);
    const counts = () => registryTables(registry).selectFrom('experiment_counts').select('count').execute();
    clock.now = new Date(clock.now.getTime() + 89 * DAY_MS);
    await forgetSignals(database.schema('registry'), clock.now);
    expect(await counts()).toHaveLength(4);
    clock.now = new Date(clock.now.getTime() + 2 * DAY_MS);
    await forgetSignals(database.schema('registry'), clock.now);
    expect(await counts()).toEqual([]);
  });
});
