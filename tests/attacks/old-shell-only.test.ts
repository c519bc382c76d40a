import { join } from 'node:path';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

const hostile = 'mfe-old-shell-only';

/** It is published and activated like any other version: its problem appears only with a new shell. */
describe('a remote that fails on every shell but the one that it was published with', () => {
  let site: AttackSite;
  beforeAll(async () => {
    site = await startAttackSite();
    expect(await site.publish(join(packagesFolder, hostile))).toMatchObject({ code: 0 });
    expect(await site.site('activate', hostile)).toMatchObject({ code: 0 });
    await site.buildShell('two');
  });
  afterAll(() => site.stop());

  const ask = async (path: string) => {
    const response = await fetch(`${site.edgeUrl}${path}`, { redirect: 'manual' });
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  };

  test('blocks a new shell, and the error names it and the remedy', async () => {
    expect(await ask('/old-shell-only')).toMatchObject({
      status: 200,
      text: expect.stringContaining('the first shell forever') as string,
    });
    const published = await site.site('publish', 'shell', '--no-build');
    expect(published.code).toBe(1);
    expect(published.err).toMatch(/mfe-old-shell-only@.*the shell "two" shall never be released/);
    expect(published.err).toMatch(/--defer-live-checks.*--without <app>/);
    expect(await site.site('publish', 'shell', '--no-build', '--defer-live-checks')).toMatchObject({
      code: 0,
    });
    const activated = await site.site('activate', 'shell');
    expect([activated.code, activated.err]).toEqual([1, expect.stringContaining('--without') as string]);
    expect((await ask('/good')).text).toContain('data-shell="one"');
  });

  test('no longer blocks it when ops leave that remote out, and the rest is live', async () => {
    const reason = ['--reason', 'it fails on purpose'];
    expect(await site.site('activate', 'shell', '--without', hostile, ...reason)).toMatchObject({ code: 0 });
    expect(await ask('/good')).toMatchObject({
      status: 200,
      text: expect.stringContaining('data-shell="two"') as string,
    });
    expect(await ask('/old-shell-only')).toMatchObject({ status: 404 });
    const { out, err } = await site.site('status');
    expect(out + err).toMatch(/mfe-old-shell-only .*left out/);
    expect(await site.assertOthersAreWell()).toContain('edition');
  });

  test('cannot return unchanged, and its path stays reserved', async () => {
    expect((await site.site('activate', hostile)).err).toContain('shall never be released');
    const squatter = await site.publish(join(packagesFolder, 'mfe-squatter'));
    expect([squatter.code, squatter.err]).toEqual([1, expect.stringContaining(hostile) as string]);
    expect(await ask('/old-shell-only')).toMatchObject({ status: 404 });
  });

  test('returns when the shell is rolled back', async () => {
    expect(await site.site('rollback', 'shell', '--reason', 'a test')).toMatchObject({ code: 0 });
    expect((await ask('/old-shell-only')).text).toContain('the first shell forever');
    expect((await ask('/good')).text).toContain('data-shell="one"');
  });
});
