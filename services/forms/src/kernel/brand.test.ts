import type { Brand } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { createDeclaredForms, type FetchLiveSite } from '../submissions/declared-forms.ts';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from './tables.ts';
import { senderBrand, createFindBrand, emailSender } from './brand.ts';

const from = 'Blocks <hello@blocks.example>';
const acme: Brand = { name: 'Acme', legalName: 'Acme Parts, Inc.' };

describe('the brand', () => {
  let shared: TestDatabase;
  const db = () => shared.database.schema<FormsTables>('forms');

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
  });
  afterAll(() => shared.stop());
  beforeEach(async () => {
    await db().deleteFrom('declared_forms').execute();
  });

  const find = (hasRegistry = true) => createFindBrand(db(), { hasRegistry, from })();
  const log = { warn: () => undefined };
  const instance = (fetchLiveSite: FetchLiveSite) =>
    createDeclaredForms({ db: db(), fetchLiveSite, now: Date.now, log });
  const said = (brand: Brand | undefined) => instance(() => Promise.resolve({ forms: [], brand })).refresh();

  test('is the latest one that any instance received', async () => {
    expect(await find()).toEqual({ name: 'Blocks' });
    let answer = acme;
    const first = instance(() => Promise.resolve({ forms: [], brand: answer }));
    await first.refresh();
    expect(await find()).toEqual(acme);
    await said({ name: 'Quillon' });
    expect(await find()).toEqual({ name: 'Quillon' });
    // Equals the previous response of this instance, but not the stored one.
    await first.refresh();
    expect(await find()).toEqual(acme);
    answer = { ...acme, email: 'hello@acme.test' };
    await first.refresh();
    expect(await find()).toEqual(answer);
  });

  test('stays the same while the registry is unreachable, which is logged once', async () => {
    const warn = jest.fn();
    let isAway = false;
    const fetchLiveSite = () =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve({ forms: [], brand: acme });
    const service = createDeclaredForms({ db: db(), fetchLiveSite, now: Date.now, log: { warn } });
    await service.refresh();
    isAway = true;
    for (let times = 0; times < 3; times += 1) await service.refresh();
    expect(await find()).toEqual(acme);
    expect(warn).toHaveBeenCalledTimes(1);
    isAway = false;
    await service.refresh();
    isAway = true;
    await service.refresh();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test("falls back to the sender's name if there is none, no registry is configured, or it cannot be read", async () => {
    await said(acme);
    expect(await find(false)).toEqual({ name: 'Blocks' });
    await said(undefined);
    expect(await find()).toEqual({ name: 'Blocks' });
    for (const brand of ['{', '{"name": 7}', JSON.stringify({ ...acme, support: 'javascript:alert(1)' })]) {
      await db().updateTable('declared_forms').set({ brand }).execute();
      expect(await find()).toEqual({ name: 'Blocks' });
    }
    // Data stored by a newer version is read as far as it is known.
    await db()
      .updateTable('declared_forms')
      .set({ brand: JSON.stringify({ ...acme, motto: 'All of it' }) })
      .execute();
    expect(await find()).toEqual(acme);
    expect(await createFindBrand(db(), { hasRegistry: false, from: null })()).toEqual({ name: '' });
  });
});

test.each([
  ['Blocks <hello@blocks.example>', 'Blocks', 'hello@blocks.example'],
  ['"Blocks, Inc." <hello@blocks.example>', 'Blocks, Inc.', 'hello@blocks.example'],
  ['hello@blocks.example', 'blocks.example', 'hello@blocks.example'],
  ['<hello@blocks.example>', 'blocks.example', 'hello@blocks.example'],
])('the brand of %s is %s', (sender, name, address) => {
  expect(senderBrand(sender)).toEqual({ name });
  expect(emailSender({ name: 'Acme' }, sender)).toEqual({ name: 'Acme', address });
});
