import { sql } from 'kysely';
import { forEachTest } from '@site/server/testing/for-each-test';
import { fullBrand } from './testing/brand.ts';
import { createHarness, siteConfig, tablesOf } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';

const registry = forEachTest(createHarness);

const inProduction = { ...siteConfig, mode: 'production' as const };
const rollBack = (body: object = {}, headers: Record<string, string> = {}) =>
  registry.send('POST', '/v1/channels/production/config-rollbacks', {
    body: { reason: 'wrong', ...body },
    headers,
  });
const live = async () => (await registry.send('GET', '/v1/channels/production')).body;

describe('a site in mode "production"', () => {
  test('is refused while its brand is not complete: each field is named, and nothing is changed', async () => {
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

  test('that had no brand before goes on to be rolled back; whatever else is activated is refused', async () => {
    await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    const third = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    for (const manifest of [next, third]) await registry.publish(manifest);
    await registry.activate({ 'mfe-blocks': next.version });
    // As a former registry has stored it.
    await sql`alter table registry.releases disable trigger append_only`.execute(tablesOf(registry));
    await tablesOf(registry)
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

  test('comes back with the versions that are live, renders nothing, and makes open tabs leave', async () => {
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
    const entries = await tablesOf(registry)
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

  test('does not come back a second time: what was taken back is no way back', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
    const again = await rollBack();
    expect([again.status, again.body.errors[0]?.code]).toEqual([409, 'no_former_config']);
    // Whoever means it says so.
    expect((await rollBack({ to: 'r2' })).body.release.config).toEqual(other);
  });

  test('gives way to the one before it, though its releases were left because of a version', async () => {
    const second = { ...other, origin: 'https://second.test' };
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.startSite();
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version });
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: second });
    expect((await registry.rollBack({ app: 'mfe-blocks' })).body.revoked).toEqual(['r2', 'r3', 'r4']);
    expect((await rollBack()).body.release.config).toEqual(other);
    // The second one was rolled back itself, and is passed over from here on.
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
    expect((await rollBack()).body.errors[0]?.code).toBe('no_former_config');
  });

  test('is a way back again once it was activated again', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await rollBack();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    expect((await rollBack()).body.release.config).toEqual(other);
  });

  test('leads to no configuration that only a canary had', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other, share: 10 });
    await registry.send('POST', '/v1/channels/production/aborts', { body: { reason: 'wrong' } });
    const refused = await rollBack({ to: 'r2' });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([409, 'no_former_config']);
    expect(refused.body.errors[0]?.detail).toContain('r2 was never live for everyone on "production"');
  });

  test('leads in a freeze to what was live and was not rolled back, and to nothing else', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await rollBack();
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    await registry.send('POST', '/v1/channels/production/freezes', { body: { reason: 'launch day' } });
    const refused = await rollBack({ to: 'r2' });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([409, 'frozen']);
    expect((await rollBack()).body.release.config).toEqual(siteConfig);
  });

  test('goes once, though two people want it gone: whoever comes later is told so', async () => {
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
    // A retry looks again before it asks: it is the same order all the same.
    expect(await rollBack({}, { 'idempotency-key': 'anna', 'if-live-release': 'r4' })).toEqual(first);
    expect((await rollBack({}, { 'if-live-release': 'r99' })).body.errors[0]?.code).toBe('config_not_live');
  });

  test('goes once, though somebody else takes it back while its pages are rendered', async () => {
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

  test('is that of the release that somebody names', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other });
    await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
    expect((await rollBack({ to: 'r1' })).body.release.config).toEqual(siteConfig);
    expect((await rollBack({ to: 'r1' })).body.errors[0]?.code).toBe('no_former_config');
    expect((await rollBack({ to: 'r99' })).body.errors[0]?.code).toBe('release_unknown');
  });

  test('is tried without being made, and is for ops', async () => {
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

  test('goes on below a canary of versions, and ends one that it leaves nothing of', async () => {
    await registry.startSite();
    await registry.activate({}, { config: other, share: 10 });
    await registry.send('POST', '/v1/channels/production/promotions', { body: { reason: 'a test' } });
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
    await registry.publish(next);
    await registry.activate({ 'mfe-blocks': next.version }, { share: 10 });
    const { body } = await rollBack();
    // Its pages were never rendered with the configuration that came back, and a rollback does not wait for them.
    expect(body.canaryEnded?.because).toMatch(/not rendered yet/);
    expect(body.release.config).toEqual(siteConfig);
    expect((await live()).state.canary).toBeNull();
  });
});
