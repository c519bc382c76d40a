import { ofKind, collectReports } from './harness/reports.ts';
import { startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';
import { open, visitors } from './harness/visitor.ts';

/** A separate site: one network counts as a few visitors, and all browsers of these tests share one. */
let site: Site;
const visit = visitors();

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

async function asked<Answer>(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await site.cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

test('a page that throws at a click is a fault of its app, with the file, and a faulty view in the registry’s totals', async () => {
  const visitor = await visit();
  const reports = collectReports(visitor);
  await visitor.page.addInitScript(() => {
    // Throws in `Object.fromEntries` after the first click: only the calculator's button calls it.
    const { fromEntries } = Object;
    const fail = () => {
      Object.assign(Object, { fromEntries });
      throw new Error('no figures for ada@example.com');
    };
    addEventListener('click', () => Object.assign(Object, { fromEntries: fail }), {
      capture: true,
      once: true,
    });
  });
  await open(visitor, `${site.url}/agencies?hours=80`);
  await visitor.page.getByRole('button', { name: 'Back to the example' }).click();
  await until(() => expect(ofKind(reports(), 'outcome')).toMatchObject([{ stretch: 'first' }]));
  const [outcome] = ofKind(reports(), 'outcome');
  expect(outcome).toMatchObject({
    faulty: ['mfe-marketing'],
    view: { route: '/agencies', app: 'mfe-marketing', number: 0 },
  });
  const fault = ofKind(reports(), 'faults')[0]?.faults[0];
  expect(fault).toMatchObject({ kind: 'error', app: 'mfe-marketing', message: 'no figures for @' });
  expect(fault?.file).toMatch(/^\/assets\/mfe-marketing\/later-roi\.[0-9a-f]{12}\.js$/);
  await until(async () => {
    const { faults } = await asked<{ faults: { app: string; message: string }[] }>('faults', 'mfe-marketing');
    expect(faults).toMatchObject([{ app: 'mfe-marketing', message: 'no figures for @' }]);
    const { rows } = await asked<{ rows: { app: string; route: string }[] }>('health');
    expect(rows).toContainEqual(
      expect.objectContaining({
        app: 'mfe-marketing',
        route: '/agencies',
        views: 1,
        faults: expect.objectContaining({ rate: 1 }) as object,
      }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        app: 'shell',
        route: '/agencies',
        views: 1,
        faults: expect.objectContaining({ rate: 0 }) as object,
      }),
    );
  });
});

test('a shell that cannot start is a faulty view of the shell, with the file', async () => {
  const visitor = await visit();
  await visitor.page.addInitScript(() => {
    Object.assign(Document.prototype, { querySelector: undefined });
  });
  await visitor.page.goto(`${site.url}/start`);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  await until(async () => {
    const { faults } = await asked<{ faults: { message: string; file: string }[] }>('faults', 'shell');
    expect(faults).toMatchObject([
      {
        // The variable name comes from the minifier.
        message: expect.stringMatching(/\.querySelector is not a function$/) as string,
        file: expect.stringMatching(/^\/assets\/shell\/main\.[0-9a-f]{12}\.js$/) as string,
      },
    ]);
    const { rows } = await asked<{ rows: { app: string; route: string }[] }>('health', 'shell');
    expect(rows).toContainEqual(
      expect.objectContaining({
        route: '/start',
        views: 1,
        faults: expect.objectContaining({ rate: 1 }) as object,
      }),
    );
  });
  // And the browser's warnings about unused prefetched scripts.
  const told = visitor.problems().filter((problem) => !problem.startsWith('warning:'));
  expect(told).toEqual([expect.stringMatching(/^uncaught: .*\.querySelector is not a function$/)]);
});

test('a view ends with the next one, which reports its outcome and its metrics, each once', async () => {
  const visitor = await visit();
  const reports = collectReports(visitor);
  await open(visitor, `${site.url}/blocks`);
  await until(() => expect(visitor.requested().some((path) => path.includes('/signals.'))).toBe(true));
  await visitor.page.waitForLoadState('networkidle');
  await visitor.page.getByRole('link', { name: 'Partners' }).first().click();
  await until(() => expect(ofKind(reports(), 'vitals')).toHaveLength(1));
  const [vitals] = ofKind(reports(), 'vitals');
  expect(vitals).toMatchObject({ view: { number: 0, route: '/blocks' } });
  for (const value of [vitals?.lcp, vitals?.interactive]) expect(value).toBeGreaterThan(0);
  expect(ofKind(reports(), 'outcome')).toMatchObject([{ view: { number: 0 }, faulty: [] }]);
  // And the other one at its own time.
  await until(() =>
    expect(ofKind(reports(), 'outcome')).toMatchObject([
      {},
      { view: { number: 1, route: '/partners' }, faulty: [] },
    ]),
  );
  expect(visitor.problems()).toEqual([]);
});

test('a load counts for the headline that it showed, until one headline is shown to everyone', async () => {
  interface Shown {
    says: string;
    choices: { choice: { headline: string }; views: number; reached: Record<string, number> }[];
  }
  const experiment = async () =>
    (await asked<{ experiments: Shown[] }>('experiments', 'list')).experiments[0] as Shown;
  const readHeadline = (html: string) => (html.includes('docs_a') ? 'a' : 'b');

  const visitor = await visit();
  await open(visitor, `${site.url}/home`);
  const headline = readHeadline(await visitor.page.content());
  await until(() => expect(visitor.requested().some((path) => path.includes('/experiments.'))).toBe(true));
  await visitor.page.waitForLoadState('networkidle');
  await visitor.page.locator('[data-outcome="mainButton"][href^="/start"]').click();
  await visitor.page.waitForURL('**/start?**');
  await visitor.page.goto('about:blank');
  await until(async () => {
    const { choices } = await experiment();
    expect(choices.find(({ choice }) => choice.headline === headline)).toMatchObject({
      views: 1,
      reached: { start: 1, mainButton: 1 },
    });
    expect(choices.find(({ choice }) => choice.headline !== headline)).toMatchObject({ views: 0 });
  });
  expect(visitor.problems()).toEqual([]);

  const ended = headline === 'a' ? 'b' : 'a';
  await asked('experiments', 'end', '/home', `headline=${ended}`, '--reason', 'it was decided');
  const shown = async () => readHeadline(await (await fetch(`${site.url}/home`)).text());
  for (let load = 0; load < 10; load += 1) expect(await shown()).toBe(ended);
  expect((await experiment()).says).toBe(`ended: everyone sees ${ended.toUpperCase()}`);
  await asked('config', 'rollback', '--reason', 'both again');
  await until(async () => expect(await shown()).toBe(headline));
});

test.each([
  ['opts out of tracking', () => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })],
  ['saves data', () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })],
])('a browser that %s sends nothing, and loads no script for it', async (_what, script) => {
  const visitor = await visit();
  await visitor.page.addInitScript(script);
  await open(visitor, `${site.url}/home`);
  await visitor.page.waitForLoadState('networkidle');
  await visitor.page.getByRole('link', { name: 'Partners' }).first().click();
  await visitor.page.waitForURL('**/partners');
  expect(visitor.requested().filter((path) => /signals/.test(path))).toEqual([]);
});

test('without JavaScript nothing is sent', async () => {
  const visitor = await visit({ javaScript: false });
  await visitor.page.goto(`${site.url}/home`, { waitUntil: 'networkidle' });
  expect(visitor.requested().filter((path) => path.startsWith('/__site'))).toEqual([]);
});
