import { forEachTest } from '@site/server/testing/for-each-test';
import { findRelease, insertRelease } from './release.repository.ts';
import { createHarness, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

describe('the numbers of releases', () => {
  const registry = forEachTest(createHarness);

  test('have no gaps after rolled-back transactions and dry runs', async () => {
    await registry.startSite();
    for (const contents of [2, 3]) await registry.publish(blocks(contents));
    const next = { 'mfe-blocks': blocks(2).version };
    for (const reason of ['a rehearsal', 'another one']) {
      const { body } = await registry.activate(next, { dryRun: true, reason });
      expect(body.release.id).toBe('r2');
    }

    const db = registryTables(registry);
    const first = await findRelease(db, 1);
    if (!first) throw new Error('There is no first release.');
    const { release, ...stored } = first;
    const broken = db.transaction().execute(async (transaction) => {
      const writing = { transaction, by: release.by, at: new Date() };
      const made = await insertRelease(writing, {
        ...release,
        ...stored,
        leftOut: {},
        retired: {},
        said: { reason: release.reason },
        parent: 1,
      });
      throw new Error(`${made.release.id} does not come about`);
    });
    await expect(broken).rejects.toThrow('r2 does not come about');

    expect((await registry.activate(next)).body.release.id).toBe('r2');
    const canary = { 'mfe-blocks': blocks(3).version };
    expect((await registry.activate(canary, { share: 10 })).body.release.id).toBe('r3');
  });
});
