import { formContracts, type FormDeclaration, type VersionManifest } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';

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

const makeBlocks = (contents: number, paths = ['/blocks', '/blocks/auth']) =>
  remoteManifest('mfe-blocks', { paths, contents });
const sentCell = (version: string, more: Partial<Parameters<typeof makeCell>[0]> = {}) =>
  makeCell({ app: 'mfe-blocks', version, views: 40, formsSent: 3, ...more });

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

test('a form without recent submissions is listed with its last one', async () => {
  const { blocks } = await registry.startSite();
  const edge = testEdge(registry);
  await edge.tell([sentCell(blocks.version)]);
  daysLater(30);
  const silent = { of: `${blocks.version} /blocks`, views: 0, sent: 0, lastSent: '2026-01-01T12:00:00.000Z' };
  expect(await forms()).toEqual([silent]);
  await edge.tell([sentCell(blocks.version, { formsSent: 0 })]);
  expect(await forms()).toEqual([{ ...silent, views: 40 }]);
  expect(await forms('?app=mfe-partners')).toEqual([]);
});

test('a form whose submissions are all rejected is listed', async () => {
  const { blocks } = await registry.startSite();
  await testEdge(registry).tell([sentCell(blocks.version, { formsSent: 0, formsRefused: 2 })]);
  expect(await forms()).toEqual([{ of: `${blocks.version} /blocks`, views: 40, sent: 0, lastSent: null }]);
});

test('a new version without submissions of a form is listed, next to the version with the last one', async () => {
  const { blocks } = await registry.startSite();
  await testEdge(registry).tell([
    sentCell(blocks.version),
    sentCell(blocks.version, { route: '/blocks/auth' }),
  ]);
  // The page of its second form is gone.
  const next = makeBlocks(2, ['/blocks']);
  await registry.publish(next);
  daysLater(1);
  await registry.activate({ 'mfe-blocks': next.version });
  daysLater(3);
  expect(await forms()).toEqual([
    { of: `${blocks.version} /blocks`, views: 0, sent: 0, lastSent: '2026-01-01T12:00:00.000Z' },
    { of: `${next.version} /blocks`, views: 0, sent: 0, lastSent: null },
  ]);
});

test('a canary is listed separately, and only if it has another version', async () => {
  const { blocks } = await registry.startSite();
  const edge = testEdge(registry);
  await edge.tell([
    sentCell(blocks.version),
    makeCell({
      app: 'mfe-partners',
      version: '1.0.0-000000000001',
      route: '/partners',
      views: 2,
      formsSent: 1,
    }),
  ]);
  const next = makeBlocks(2);
  await registry.publish(next);
  await registry.activate({ 'mfe-blocks': next.version }, { share: 10 });
  daysLater(3);
  expect((await forms()).map(({ of }) => of)).toEqual([
    `${blocks.version} /blocks`,
    `${next.version} canary /blocks`,
    '1.0.0-000000000001 /partners',
  ]);
});

test('a form that a live version declares is listed even if it was never sent', async () => {
  registry.setFormsService(() => Promise.resolve({ forms: formContracts, kinds: ['email'] }));
  await registry.startSite();
  const next = { ...makeBlocks(2), declaredForms: [declared] };
  await registry.publish(next);
  expect(await forms()).toEqual([]);
  await registry.activate({ 'mfe-blocks': next.version });
  expect(await forms()).toEqual([{ of: `${next.version} /blocks/auth`, views: 0, sent: 0, lastSent: null }]);
});

describe('a form removed from a page that stays', () => {
  const { referral } = formContracts;
  const sending = (contents: number) => ({ ...makeBlocks(contents), forms: { referral } });

  /** Activates a version whose form on /blocks/auth was sent once, then another one, and lets days pass. */
  async function replace(first: VersionManifest, second: VersionManifest): Promise<void> {
    registry.setFormsService(() => Promise.resolve({ forms: formContracts, kinds: ['email'] }));
    await registry.startSite();
    for (const next of [first, second]) {
      await registry.publish(next);
      await registry.activate({ 'mfe-blocks': next.version });
      if (next === first) await testEdge(registry).tell([sentCell(next.version, { route: '/blocks/auth' })]);
    }
    daysLater(3);
  }
  const listed = async () => (await forms()).map(({ of }) => of);

  test('is not listed if the live version no longer declares it', async () => {
    await replace({ ...makeBlocks(2), declaredForms: [declared] }, makeBlocks(3));
    expect(await listed()).toEqual([]);
  });

  test('is not listed if the live version sends no form any more', async () => {
    await replace(sending(2), makeBlocks(3));
    expect(await listed()).toEqual([]);
  });

  test('is listed while the live version sends it, and after a rollback to the version that had it', async () => {
    const first = sending(2);
    const second = sending(3);
    await replace(first, second);
    expect(await listed()).toEqual([`${first.version} /blocks/auth`, `${second.version} /blocks/auth`]);
    const third = makeBlocks(4);
    await registry.publish(third);
    await registry.activate({ 'mfe-blocks': third.version });
    expect(await listed()).toEqual([]);
    await registry.rollBack({ app: 'mfe-blocks', to: first.version });
    expect(await listed()).toEqual([`${first.version} /blocks/auth`]);
  });

  test('is listed only while its last report is in the requested period', async () => {
    const first = { ...makeBlocks(2), declaredForms: [declared] };
    await replace(first, makeBlocks(3));
    expect((await forms('?minutes=10080')).map(({ of, sent }) => [of, sent])).toEqual([
      [`${first.version} /blocks/auth`, 3],
    ]);
  });
});
