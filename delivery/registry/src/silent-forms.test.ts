import { formContracts, type FormDeclaration } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';
import { cellOf, testEdge } from './testing/signals.ts';

const registry = forEachTest(createHarness);

const daysLater = (days: number) => {
  registry.clock.now = new Date(registry.clock.now.getTime() + days * 24 * 3_600_000);
};

interface Row {
  app: string;
  version: string;
  route: string;
  canary: boolean;
  views: number;
  sent: number;
  lastSent: string | null;
}

async function forms(query = '') {
  const { status, body } = await registry.send<{ rows: Row[] }>(
    'GET',
    `/v1/channels/production/forms${query}`,
    { as: 'read' },
  );
  expect(status).toBe(200);
  return body.rows.map(({ version, route, canary, views, sent, lastSent }) => ({
    of: `${version}${canary ? ' canary' : ''} ${route}`,
    views,
    sent,
    lastSent,
  }));
}

const blocksOf = (contents: number, paths = ['/blocks', '/blocks/auth']) =>
  remoteManifest('mfe-blocks', { paths, contents });
const sentOf = (version: string, more: Partial<Parameters<typeof cellOf>[0]> = {}) =>
  cellOf({ app: 'mfe-blocks', version, views: 40, formsSent: 3, ...more });

test('a form that nobody has sent for long is listed with when its last one arrived', async () => {
  const { blocks } = await registry.startSite();
  const edge = testEdge(registry);
  await edge.tell([sentOf(blocks.version)]);
  daysLater(30);
  const silent = { of: `${blocks.version} /blocks`, views: 0, sent: 0, lastSent: '2026-01-01T12:00:00.000Z' };
  expect(await forms()).toEqual([silent]);
  await edge.tell([sentOf(blocks.version, { formsSent: 0 })]);
  expect(await forms()).toEqual([{ ...silent, views: 40 }]);
  expect(await forms('?app=mfe-partners')).toEqual([]);
});

test('a new version of which no form has arrived is listed, beside the one of which the last one did', async () => {
  const { blocks } = await registry.startSite();
  await testEdge(registry).tell([sentOf(blocks.version), sentOf(blocks.version, { route: '/blocks/auth' })]);
  // Its page of the second form is gone.
  const next = blocksOf(2, ['/blocks']);
  await registry.publish(next);
  daysLater(1);
  await registry.activate({ 'mfe-blocks': next.version });
  daysLater(3);
  expect(await forms()).toEqual([
    { of: `${blocks.version} /blocks`, views: 0, sent: 0, lastSent: '2026-01-01T12:00:00.000Z' },
    { of: `${next.version} /blocks`, views: 0, sent: 0, lastSent: null },
  ]);
});

test('a canary is listed apart, only where it shows another version', async () => {
  const { blocks } = await registry.startSite();
  const edge = testEdge(registry);
  await edge.tell([
    sentOf(blocks.version),
    cellOf({
      app: 'mfe-partners',
      version: '1.0.0-000000000001',
      route: '/partners',
      views: 2,
      formsSent: 1,
    }),
  ]);
  const next = blocksOf(2);
  await registry.publish(next);
  await registry.activate({ 'mfe-blocks': next.version }, { share: 10 });
  daysLater(3);
  expect((await forms()).map(({ of }) => of)).toEqual([
    `${blocks.version} /blocks`,
    `${next.version} canary /blocks`,
    '1.0.0-000000000001 /partners',
  ]);
});

test('a form that a live version declares is listed though nobody has ever sent it', async () => {
  registry.askFormsOf(() => Promise.resolve({ forms: formContracts, kinds: ['email'] }));
  await registry.startSite();
  const declared: FormDeclaration = {
    id: 'mfe-blocks/ask',
    place: '/blocks/auth#ask',
    title: 'Ask',
    button: 'Send',
    thanks: { title: 'We have it', text: 'We answer.' },
    tell: 'people',
    keepDays: 180,
    fields: [{ kind: 'email', name: 'email', label: 'Email' }],
  };
  const next = { ...blocksOf(2), declaredForms: [declared] };
  await registry.publish(next);
  expect(await forms()).toEqual([]);
  await registry.activate({ 'mfe-blocks': next.version });
  expect(await forms()).toEqual([{ of: `${next.version} /blocks/auth`, views: 0, sent: 0, lastSent: null }]);
});
