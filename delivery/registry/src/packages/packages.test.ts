import { createHash } from 'node:crypto';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness } from '../testing/harness.ts';
import { shellManifest } from '../testing/manifests.ts';
import { packageTarball, publishBody } from '../testing/package-tarball.ts';

const kit = (version: string) => ({ name: '@site/kit', version });
/** Versions of the tools, by the kit that they need. */
const build = (version: string, needs: string) => ({
  name: '@site/build',
  version,
  dependencies: { '@site/kit': needs },
});

describe('packages', () => {
  const registry = forEachTest(createHarness);

  async function publish(manifest: { name: string; version: string }, bytes?: Buffer, sent: object = {}) {
    const body = publishBody(bytes ?? (await packageTarball(manifest)));
    return registry.send('PUT', `/npm/${manifest.name.replace('/', '%2f')}`, { body, ...sent });
  }
  const read = async (url: string) => {
    const answer = await registry.app.inject({ url, headers: { host: 'registry.example.com' } });
    return { status: answer.statusCode, answer };
  };
  const tagsOf = async (name: string) =>
    (await read(`/npm/${name}`)).answer.json<{ 'dist-tags': object }>()['dist-tags'];
  const goLive = async (version: string, contents: number) => {
    const shell = shellManifest({ provides: { react: '19.0.0', '@site/kit': version }, contents });
    await registry.publish(shell);
    return registry.activate({ shell: shell.version });
  };

  test('a published package is read by anyone, under both spellings of its name', async () => {
    const bytes = await packageTarball({
      ...kit('1.0.0'),
      bin: { kit: './bin.js' },
      scripts: { test: 'jest' },
    });
    expect((await publish(kit('1.0.0'), bytes)).status).toBe(201);
    for (const url of ['/npm/@site/kit', '/npm/@site%2fkit']) {
      const { answer } = await read(url);
      expect(answer.json()).toMatchObject({
        name: '@site/kit',
        'dist-tags': { latest: '1.0.0' },
        versions: {
          '1.0.0': {
            bin: { kit: './bin.js' },
            dist: {
              tarball: 'http://registry.example.com/npm/@site/kit/-/kit-1.0.0.tgz',
              integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
            },
          },
        },
      });
      expect(answer.body).not.toContain('jest');
    }
    for (const url of ['/npm/@site/kit/latest', '/npm/@site%2Fkit/1.0.0'])
      expect((await read(url)).answer.json()).toMatchObject({ version: '1.0.0' });
    for (const url of [
      '/npm/@site/kit/next',
      '/npm/@site/kit%00',
      '/npm/@site/kit/-/kit-%00.tgz',
      '/npm/kit',
    ])
      expect((await read(url)).status).toBe(404);
    const file = await read('/npm/@site/kit/-/kit-1.0.0.tgz');
    expect(file.answer.rawPayload.equals(bytes)).toBe(true);
    expect(file.answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('a version never changes, and publishing it again is no change', async () => {
    const bytes = await packageTarball(kit('1.0.0'));
    await publish(kit('1.0.0'), bytes);
    expect((await publish(kit('1.0.0'), bytes)).status).toBe(200);
    const changed = await publish(kit('1.0.0'), await packageTarball({ ...kit('1.0.0'), type: 'module' }));
    expect([changed.status, changed.body.errors[0]?.code]).toEqual([409, 'package_exists']);
    expect(changed.body).toMatchObject({
      error: changed.body.errors[0]?.detail,
    });
  });

  test.each([
    ['another package', kit('1.0.0'), () => packageTarball(build('1.0.0', '^1.0.0'))],
    ['no manifest', kit('1.0.0'), () => packageTarball(kit('1.0.0'), 'package/other.json')],
    [
      'two manifests',
      kit('1.0.0'),
      () => packageTarball(kit('1.0.0'), 'package/package.json', 'package/package.json'),
    ],
    [
      'another folder',
      kit('1.0.0'),
      () => packageTarball(kit('1.0.0'), 'package/package.json', 'other/package.json'),
    ],
    ['a range as its version', kit('^1.0.0'), undefined],
    ['a name of another scope', { name: '@other/kit', version: '1.0.0' }, undefined],
    ['bytes that are no archive', kit('1.0.0'), () => Promise.resolve(Buffer.from('no archive'))],
  ])('a tarball with %s is refused', async (_what, manifest, bytes) => {
    const answer = await publish(manifest, await bytes?.());
    expect([answer.status, answer.body.errors[0]?.code]).toEqual([422, 'package_malformed']);
    expect((await read(`/npm/${manifest.name}`)).status).toBe(404);
  });

  test('only those who publish the shell publish packages', async () => {
    const answer = await publish(kit('1.0.0'), undefined, { as: 'blocks' });
    expect([answer.status, answer.body.errors[0]?.code]).toEqual([403, 'scope_missing']);
    expect((await read('/npm/@site/kit/-/kit-1.0.0.tgz')).status).toBe(404);
  });

  test('tags name what the live shell supports, also after its rollback', async () => {
    await registry.startSite();
    for (const manifest of [kit('1.0.0'), kit('1.1.0'), build('1.0.0', '^1.0.0'), build('1.1.0', '^1.1.0')])
      await publish(manifest);
    await goLive('1.0.0', 50);
    expect([await tagsOf('@site/kit'), await tagsOf('@site/build')]).toEqual([
      { latest: '1.0.0', production: '1.0.0' },
      { latest: '1.0.0', production: '1.0.0' },
    ]);
    await goLive('1.1.0', 51);
    expect([await tagsOf('@site/kit'), await tagsOf('@site/build')]).toEqual([
      { latest: '1.1.0', production: '1.1.0' },
      { latest: '1.1.0', production: '1.1.0' },
    ]);
    await registry.rollBack({ app: 'shell' });
    expect(await tagsOf('@site/build')).toEqual({ latest: '1.0.0', production: '1.0.0' });
    const ui = { name: '@site/ui', version: '2.0.0', dependencies: { '@site/kit': '^2.0.0' } };
    await publish(ui);
    expect(await tagsOf('@site/ui')).toEqual({});
  });
});
