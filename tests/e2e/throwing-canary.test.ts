import type { AuditAnswer } from '@site/contract';
import { startThrowingCanary, throwing, type Ended, type ThrowingCanary } from './harness/throwing-canary.ts';
import { until } from './harness/until.ts';

/** A version that throws at a click is a canary for a tenth of the visitors, without any operator. */

let canary: ThrowingCanary;
let ended: Ended;

beforeAll(async () => {
  canary = await startThrowingCanary();
  ended = await canary.run();
});
afterAll(() => canary.stop());

async function asked<Answer>(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await canary.site.cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

/** Place, error and number in one sentence. */
function sentence(): RegExp {
  const { good, bad } = canary.versions;
  return new RegExp(
    `(?:/blocks|The site) failed \\(browsers reported '${throwing.message}'\\)(?: while it was used)? in [1-9]\\d* of [\\d,]+ views with ${bad}, in 0 of [\\d,]+ with ${good}`,
  );
}

test('the guard aborts it, once, and quarantines the version', async () => {
  const { bad } = canary.versions;
  const { actions } = await asked<{ actions: object[] }>('guard', 'history');
  expect(actions).toMatchObject([
    { did: 'acted', app: 'mfe-blocks', version: bad, release: ended.canary, why: 'a canary is bad' },
  ]);
  const { code, stderr } = await canary.site.cli('activate', `mfe-blocks@${bad}`);
  expect(code).toBe(1);
  expect(stderr).toContain('version_quarantined');
});

test('a tenth of the visitors saw it while it ran, and none afterwards', () => {
  const { good, bad } = canary.versions;
  const { meanwhile, afterwards } = ended;
  expect(meanwhile.canary).toHaveLength(40);
  const faces = meanwhile.canary.flat().filter(({ version }) => version === bad);
  expect(faces.filter(({ shows }) => shows === 'after').length).toBeGreaterThan(0);
  expect(faces.filter(({ status, shows }) => status !== 200 || shows === 'before')).toEqual([]);
  expect(afterwards).toHaveLength(400);
  const back = { path: '/blocks', status: 200, version: good, shows: 'before' };
  expect(afterwards.filter((view) => JSON.stringify(view) !== JSON.stringify(back))).toEqual([]);
});

test('visitors of the live release are unaffected: the same version on every view, and no error', async () => {
  const { good } = canary.versions;
  const { meanwhile } = ended;
  expect(meanwhile.stable).toHaveLength(360);
  const views = meanwhile.stable.flat();
  expect(views.filter(({ shows }) => shows === 'before').length).toBeGreaterThan(0);
  expect(
    views.filter(
      ({ path, status, version, shows }) =>
        status !== 200 || shows === 'after' || (path === '/blocks' && version !== good),
    ),
  ).toEqual([]);
  for (const visitor of canary.browsers.stable) {
    expect(visitor.problems()).toEqual([]);
    // Nor was the page reloaded.
    expect(await visitor.page.evaluate(() => 'sameDocument' in window)).toBe(true);
  }
});

test('the browser in which it threw shows the live version at its next visit', async () => {
  const { canary: visitor } = canary.browsers;
  expect(visitor.problems()).toEqual([`uncaught: ${throwing.message}`]);
  await visitor.page.goto(`${canary.site.url}/blocks`);
  await visitor.page.getByRole('heading', { level: 1, name: throwing.before }).waitFor();
  expect(await visitor.page.getByRole('button', { name: throwing.button }).count()).toBe(0);
  expect(visitor.problems()).toHaveLength(1);
});

test('the audit log states the reason in one sentence', async () => {
  const { events } = await asked<AuditAnswer>('audit', '--limit', '200');
  const done = (action: string) => events.filter((event) => event.by === 'guard' && event.action === action);
  expect(done('canary.aborted')).toMatchObject([
    {
      subject: ended.canary,
      details: { reason: expect.stringMatching(new RegExp(`^${sentence().source}$`)) as string },
    },
  ]);
  expect(done('version.quarantined')).toMatchObject([{ subject: `mfe-blocks@${canary.versions.bad}` }]);
});

test('a webhook receives the reason', async () => {
  const heard = () => canary.receiver.received.filter(({ body }) => body.type === 'alert.acted');
  await until(() => expect(heard()).toHaveLength(1));
  expect(heard()[0]?.body.data).toMatchObject({
    subject: `mfe-blocks@${canary.versions.bad}`,
    channel: 'production',
    text: expect.stringMatching(sentence()) as string,
  });
});
