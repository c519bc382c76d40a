import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteManifest } from '@site/contract';
import { loadApp } from './app.ts';
import { packContainer } from './pack-container.ts';

/** Real output of Rspack, with the configuration in docs/teams.md and with others. */
const repository = join(import.meta.dirname, '../../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-rspack-'));
  await cp(join(repository, 'tests/fixtures/mfe-rspack'), folder, { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function change(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(folder, path), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, path), text.replaceAll(from, to));
}

async function build(): Promise<RemoteManifest> {
  await promisify(execFile)(process.execPath, ['build.mjs'], { cwd: folder });
  return (await packContainer(await loadApp(folder), 'dist.bundle', true)) as RemoteManifest;
}

test("a container with another one's chunk list, unique name or class names is rejected", async () => {
  await change('rspack.config.mjs', '  output: {\n    path', "  output: {\n    uniqueName: 'web',\n    path");
  const error: unknown = await build().catch((each: unknown) => each);
  await change('rspack.config.mjs', "    uniqueName: 'web',\n", '');
  expect(String(error)).toMatch(/has the chunk list "rspackChunkweb"/);
  expect(String(error)).toMatch(/does not have the unique name of its container/);
  expect(String(error)).toMatch(/"\.web-counter" has no class of mfe-rspack/);
});

test('a container of Rspack has only files of the current sources, with absolute URLs', async () => {
  const part = (name: string, more: string) =>
    `import styles from './${name}.module.css'; ${more} export default () => <p className={styles['${name}']} />;`;
  const next = "import { lazy } from 'react'; export const Inner = lazy(() => import('./inner.tsx'));";
  await writeFile(join(folder, 'src/pages/details.tsx'), part('details', next));
  await writeFile(join(folder, 'src/pages/details.module.css'), '.details { color: red }');
  await writeFile(join(folder, 'src/pages/inner.tsx'), part('inner', ''));
  await writeFile(join(folder, 'src/pages/inner.module.css'), '.inner { color: blue }');
  const made = await build();
  const [page] = made.pages;
  const css = await Promise.all(
    (page?.css ?? []).map((path) => readFile(join(folder, 'dist/browser', path), 'utf8')),
  );
  expect(css.join()).toMatch(/background-image: ?url\("?\/assets\/mfe-rspack\/[0-9a-f]+\.svg"?\)/);
  // A lazily loaded part, with a nested one.
  expect(css.join()).toContain('red');
  expect(css.join()).toMatch(/blue|#00f/);

  await change('src/pages/elsewhere-page.tsx', '<h1>Made elsewhere</h1>', '<h1>Made today</h1>');
  const { assets, version } = await build();
  await rm(join(folder, 'dist.bundle'), { recursive: true });
  const again = await build();
  expect([again.version, again.assets]).toEqual([version, assets]);
  expect(version).not.toBe(made.version);

  await change(
    'rspack.config.mjs',
    "    publicPath: '/assets/mfe-rspack/',\n    clean: true,",
    "    publicPath: 'auto',",
  );
  await change('src/pages/elsewhere-page.tsx', 'Made today', 'Made now');
  await expect(build()).rejects.toThrow(
    /Nothing references "[^"]+", which may be left over from an earlier build/,
  );
  await rm(join(folder, 'dist.bundle'), { recursive: true });
  await expect(build()).rejects.toThrow(
    /\.css" references "[0-9a-f]+\.svg" relative to its own URL, .* write output\.publicPath: "\/assets\/mfe-rspack\/"\.$/,
  );
});
