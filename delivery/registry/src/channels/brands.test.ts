import { sql } from 'kysely';
import { forEachTest } from '@site/server/testing/for-each-test';
import { fullBrand } from '../testing/brand.ts';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const inProduction = { ...siteConfig, mode: 'production' as const };
const rollBack = (body: object = {}, headers: Record<string, string> = {}) =>
  registry.send('POST', '/v1/channels/production/config-rollbacks', {
    body: { reason: 'wrong', ...body },
    headers,
  });
const live = async () => (await registry.send('GET', '/v1/channels/production')).body;

describe('a site in mode "production"', () => {
  test('is rejected while its brand is incomplete: each missing field is named, and nothing is changed', async () => {
    await registry.startSite();
    const brand = { ...fullBrand, phone: '', status: 'https://status.acme.example/' };
    const { status, body } = await registry.activate({}, { config: { ...inProduction, brand } });
    expect([status, body.errors[0]?.code]).toEqual([422, 'brand_incomplete']);
    expect(body.errors[0]?.detail).toContain(
      'the brand must be complete: status is under .example ("https://status.acme.example/"), phone is empty.',
    );
    expect((await live()).state.live).toBe('r1');
    const without = await registry.activate({}, { config: inProduction });
    expect(without.body.errors[0]?.detail).toMatch(/name is empty, legalName is empty, .*copyrightYear/);
    expect((await registry.activate({}, { config: { ...siteConfig, brand } })).status).toBe(201);
  });

  test('that had no brand before can still be rolled back; other activations are rejected', async () => {
    await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    const third = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    for (const manifest of [next, third]) await registry.publish(manifest);
    await registry.activate({ 'mfe-blocks': next.version });
    // As stored by an older registry.
    await sql`alter table registry.releases disable trigger append_only`.execute(registryTables(registry));
    await registryTables(registry)
      .updateTable('releases')
      .set({ config: JSON.stringify(inProduction) })
      .execute();
    const refused = await registry.activate({ 'mfe-blocks': third.version });
    expect(refused.body.errors[0]?.code).toBe('brand_incomplete');
    expect((await registry.rollBack({ app: 'mfe-blocks' })).status).toBe(201);
  });
});

describe('a configuration that is rolled back', () => {
  const other = { ...siteConfig, brand: fullBrand };

  test('returns with the live versions, renders nothing, and makes open tabs leave', async () => {
    const { partners } = await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.activate({}, { config: other });
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    await registry.activate({}, { config: siteConfig, reason: 'to have the pages of the new version' });
    await registry.activate({}, { config: other });
    const { status, body } = await rollBack();
    expect([status, body.rendered, body.changes]).toEqual([201, 0, []]);
    expect(body.release).toMatchObject({
      id: 'r6',
      kind: 'rollback',
      config: siteConfig,
      reason: 'wrong',
      apps: { 'mfe-blocks': next.version, 'mfe-partners': partners.version },
    });
    expect(body.revoked).toEqual(['r2', 'r3', 'r5']);
    expect((await live()).state).toMatchObject({ live: 'r6', revoked: ['r2', 'r3', 'r5'] });
    const entries = await registryTables(registry)
      .selectFrom('audit_events')
      .selectAll()
      .orderBy('sequence')
      .execute();
    expect(entries.at(-1)).toMatchObject({
      action: 'release.rollback',
      subject: 'r6',
      details: { config: { from: expect.any(String) as string, to: expect.any(String) as string } },
    });
  });

  test('is not a rollback target again after it was rolled back', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
    const again = await rollBack();
    expect([again.status, again.body.errors[0]?.code]).toEqual([409, 'no_former_config']);
    // Naming it explicitly is possible.
    expect((await rollBack({ to: 'r2' })).body.release.config).toEqual(other);
  });

  test('is replaced by the one before it, even if its releases were revoked because of a version', async () => {
    const second = { ...other, origin: 'https://second.test' };
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.startSite();
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: second });
    expect((await registry.rollBack({ app: 'mfe-blocks' })).body.revoked).toEqual(['r2', 'r3', 'r4']);
    expect((await rollBack()).body.release.config).toEqual(other);
    // The second one was itself rolled back, and is skipped from here on.
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
    expect((await rollBack()).body.errors[0]?.code).toBe('no_former_config');
  });

  test('is a rollback target again after another activation', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await rollBack();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    expect((await rollBack()).body.release.config).toEqual(other);
  });

  test('is not replaced by a configuration that only a canary had', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other, share: 10 });
    await registry.send('POST', '/v1/channels/production/aborts', { body: { reason: 'wrong' } });
    const refused = await rollBack({ to: 'r2' });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([409, 'no_former_config']);
    expect(refused.body.errors[0]?.detail).toContain('r2 was never live for everyone on "production"');
  });

  test('during a freeze, is replaced only by one that was live and not rolled back', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await rollBack();
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    await registry.send('POST', '/v1/channels/production/freezes', { body: { reason: 'launch day' } });
    const refused = await rollBack({ to: 'r2' });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([409, 'frozen']);
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
  });

  test('is rolled back once by two concurrent users: the later one is notified', async () => {
    const third = { ...other, origin: 'https://moved.test' };
    const asSeen = (key: string) => rollBack({}, { 'idempotency-key': key, 'if-live-release': 'r3' });
    await registry.startSite();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: third });
    const first = await asSeen('anna');
    expect(first.body.release.config).toEqual(other);
    const second = await asSeen('bert');
    expect([second.status, second.body.errors[0]?.code]).toEqual([409, 'config_not_live']);
    expect(second.body.errors[0]?.detail).toContain('that of r4 by olivia is');
    expect((await live()).release.config).toEqual(other);
    // A retry reads the state again, but is the same request.
    expect(await rollBack({}, { 'idempotency-key': 'anna', 'if-live-release': 'r4' })).toEqual(first);
    expect((await rollBack({}, { 'if-live-release': 'r99' })).body.errors[0]?.code).toBe('config_not_live');
  });

  test('is rolled back once, even if another user does so during rendering', async () => {
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.startSite();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    let isFirst = true;
    registry.composer.meanwhile = async () => {
      if (!isFirst) return;
      isFirst = false;
      expect((await rollBack()).status).toBe(201);
    };
    const late = await rollBack();
    expect([isFirst, late.status, late.body.errors[0]?.code]).toEqual([false, 409, 'config_not_live']);
    expect((await live()).release.config).toEqual(other);
  });

  test('is replaced by the brand of the named release', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    expect((await rollBack({ to: 'r1' })).body.release.config).toEqual(siteConfig);
    expect((await rollBack({ to: 'r1' })).body.errors[0]?.code).toBe('no_former_config');
    expect((await rollBack({ to: 'r99' })).body.errors[0]?.code).toBe('release_unknown');
  });

  test('supports dry runs, and is for ops', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    expect((await rollBack({ dryRun: true })).body).toMatchObject({ dryRun: true, changed: true });
    expect((await live()).state).toMatchObject({ live: 'r2', revoked: [] });
    const { status } = await registry.send('POST', '/v1/channels/production/config-rollbacks', {
      body: { reason: 'wrong' },
      as: 'activator',
    });
    expect(status).toBe(403);
  });

  test('leaves a canary of an app as it is', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other, share: 10 });
    await registry.send('POST', '/v1/channels/production/promotions', { body: { reason: 'a test' } });
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version }, { share: 10 });
    const { body } = await rollBack();
    expect(body.release.config).toEqual(siteConfig);
    expect((await live()).state.canaries).toMatchObject([{ app: 'mfe-blocks', share: 10 }]);
  });
});
