import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import ts from 'typescript';
import type { RemoteManifest } from '@site/contract';
import { readSourceMaps } from '@site/contract/source-maps';

const root = join(import.meta.dirname, '../../..');
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'site-build-'));
  // Resolves packages as in the repository.
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function writeRemote(
  folder: string,
  config: string,
  page = 'export default function P() { return null; }',
) {
  const at = join(scratch, folder);
  await mkdir(join(at, 'src/pages'), { recursive: true });
  await writeFile(join(at, 'src/pages/a-page.tsx'), page);
  await writeFile(
    join(at, 'package.json'),
    JSON.stringify({
      name: 'mfe-test',
      version: '1.2.3',
      type: 'module',
      dependencies: { react: '^19.0.0', '@site/kit': '^1.0.0' },
    }),
  );
  await writeFile(join(at, 'remote.config.ts'), config);
  return at;
}

/** Installs the packages that pages use into `modules` as from npm: each TypeScript file as JavaScript. */
async function installBuilt(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true });
  for (const name of ['contract', 'kit', 'ui']) {
    const from = join(root, 'shared', name);
    const to = join(modules, '@site', name);
    const packageJson = await readFile(join(from, 'package.json'), 'utf8');
    await mkdir(to, { recursive: true });
    await writeFile(join(to, 'package.json'), packageJson.replaceAll(/\.tsx?"/g, '.js"'));
    const files = await readdir(join(from, 'src'), { recursive: true, withFileTypes: true });
    for (const { name: file, parentPath } of files.filter((entry) => entry.isFile())) {
      const target = join(to, relative(from, parentPath), file.replace(/\.tsx?$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      const text = await readFile(join(parentPath, file), 'utf8');
      await writeFile(target, /\.tsx?$/.test(file) ? javascript(text, file) : text);
    }
  }
}

function javascript(source: string, fileName: string): string {
  return ts.transpileModule(source, {
    fileName,
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.ReactJSX,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      sourceMap: true,
    },
  }).outputText;
}

function build(
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const command = join(root, 'shared/build/bin/site-build.mjs');
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, [command], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const config = (fields: string) =>
  `export default { name: 'mfe-test', owner: 'test', pages: [{ path: '/a', page: './src/pages/a-page.tsx' }], redirects: [], ${fields} };`;

const withCard = config(
  `pages: [{ path: '/a', page: './src/pages/a-page.tsx', card: 'The first page' }, { path: '/b', page: './src/pages/a-page.tsx' }]`,
);

test.each([
  ['no default export', 'export const x = 1;', /no default export.*defineRemote/],
  [
    'a path without a slash',
    config(`pages: [{ path: 'a', page: './src/pages/a-page.tsx' }]`),
    /pages\.0\.path.*got "a"/,
  ],
  ['no pages', config('pages: []'), /pages: A remote has at least one page/],
  ['another name than its package', config(`name: 'mfe-other'`), /names the remote "mfe-other".*"mfe-test"/],
  ['the same path twice', config(`redirects: [{ from: '/a', to: '/b' }]`), /claimed twice/],
  [
    'pages with the same file name',
    config(
      `pages: [{ path: '/a', page: './src/pages/a/home-page.tsx' }, { path: '/b', page: './src/pages/b/home-page.tsx' }]`,
    ),
    /Different pages need different file names, .* Rename all but one of: "\.\/src\/pages\/a\/home-page\.tsx", "\.\/src\/pages\/b\/home-page\.tsx"\./,
  ],
  [
    'a page with capitals in its file name',
    config(`pages: [{ path: '/a', page: './src/pages/HomePage.tsx' }]`),
    /pages\.0\.page: The file name of a page has lower-case letters, .* Rename the file, .* \(got "\.\/src\/pages\/HomePage\.tsx"\)/,
  ],
  [
    'a page with the name of a shared file of the build',
    config(`pages: [{ path: '/a', page: './src/pages/styles.tsx' }]`),
    /the page "\.\/src\/pages\/styles\.tsx" has the name of a shared file\. Rename it, for example to "\.\/styles-page\.tsx"/,
  ],
  ['an unknown field', config('page: 1'), /remote\.config\.ts is not a valid remote/],
  [
    'a card with too much text',
    config(`pages: [{ path: '/a', page: './src/pages/a-page.tsx', card: '${'word '.repeat(13)}' }]`),
    /pages\.0\.card: A card has room for 60 characters/,
  ],
  [
    'a syntax error',
    'export default {',
    /remote\.config\.ts cannot be loaded: .* \(line 1\)\nexport default {\n/,
  ],
])('a remote.config.ts with %s is rejected with a message that names it', async (_case, text, message) => {
  const { code, stderr } = await build(await writeRemote('mfe-test', text));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) as string });
});

test('a page that does not compile is rejected with the position of the error', async () => {
  const { code, stderr } = await build(
    await writeRemote('mfe-test', config(''), 'export default function ('),
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('a-page.tsx') as string });
});

test('styles that would change other pages are rejected with their file, all at once', async () => {
  const page = `import './global.css';
import styles from './a.module.css';
export default function P() { return <p className={styles.page} />; }`;
  const at = await writeRemote('with-global-styles', config(''), page);
  await writeFile(join(at, 'src/pages/global.css'), 'header { display: none } :root { --text: 3rem }');
  await writeFile(
    join(at, 'src/pages/a.module.css'),
    ':global(footer) { top: 0 } .page:has(footer) header { top: 1px } @layer components { .page { top: 2px } } .page { --measure: 3rem }',
  );
  const { code, stderr } = await build(at);
  expect(code).toBe(1);
  const problems = stderr.split('\n').filter((line) => line.includes('.css: '));
  const use = 'Use classes of a CSS module (*.module.css), without ":global".';
  const others = 'has no class of mfe-test, so it styles the pages of others.';
  expect(problems.map((line) => line.replace(/^.*?src/, 'src')).sort()).toEqual(
    [
      `src/pages/a.module.css: "footer" ${others} ${use}`,
      `src/pages/a.module.css: "@layer components" is a layer of the site. ${use}`,
      `src/pages/a.module.css: "--measure" is a custom property of the site. ${use}`,
      `src/pages/global.css: "header" ${others} ${use}`,
      `src/pages/global.css: ":root" ${others} ${use}`,
      `src/pages/global.css: "--text" is a custom property of the site. ${use}`,
    ].sort(),
  );
});

describe('a build', () => {
  let folder: string;
  let stdout: string;
  let manifest: RemoteManifest;
  beforeAll(async () => {
    folder = await writeRemote('one', withCard);
    ({ stdout } = await build(folder));
    manifest = JSON.parse(await readFile(join(folder, 'dist/version.json'), 'utf8')) as RemoteManifest;
  });

  test('of the same sources has the same version id in another folder; other sources have another one', async () => {
    const second = join(scratch, 'two');
    await cp(folder, second, { recursive: true });
    await rm(join(second, 'dist'), { recursive: true });
    const changed = await writeRemote('three', withCard, 'export default function P() { return "changed"; }');
    const [again, other] = await Promise.all([build(second), build(changed)]);
    expect(stdout).toMatch(/^mfe-test@1\.2\.3-[0-9a-f]{12}\n$/);
    expect(again.stdout).toBe(stdout);
    expect(other.stdout).toMatch(/^mfe-test@/);
    expect(other.stdout).not.toBe(stdout);
  });

  test('of the same sources has the same version id when the shared packages are installed as JavaScript', async () => {
    const page = `import { Page } from '@site/kit';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { stackScene } from '@site/ui/blocks/stack-scene.art';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
export default function P() {
  return (
    <Page title="A title" description="A description">
      <Hero title="A title" lead="A lead" figure={<Picture first art={stackScene} />} />
      <Accordion><AccordionItem title="A question"><p>An answer</p></AccordionItem></Accordion>
    </Page>
  );
}`;
    const here = await writeRemote('with-sources', withCard, page);
    const elsewhere = join(scratch, 'a/repository/of/its/own');
    await installBuilt(join(elsewhere, 'node_modules'));
    await cp(here, elsewhere, { recursive: true });
    const [fromSources, fromBuilt] = await Promise.all([build(here), build(elsewhere)]);
    expect(fromSources.stderr).toBe('');
    expect(fromBuilt).toEqual(fromSources);
    const built = await readFile(join(elsewhere, 'dist/version.json'), 'utf8');
    const { assets } = JSON.parse(built) as RemoteManifest;
    expect(assets.map(({ path }) => path.replace(/\.[0-9a-f]{12}/, ''))).toEqual(
      expect.arrayContaining(['a-page.js', 'stack-scene.svg', 'styles.css']),
    );
  });

  test('contains the pictures that its pages import, at the URL that they render', async () => {
    const page = `import photo from './photo.jpg';
export default function P() { return <img src={photo} alt="" width={2} height={1} />; }`;
    const at = await writeRemote('with-picture', withCard, page);
    await writeFile(join(at, 'src/pages/photo.jpg'), 'no picture');
    const { code, stderr } = await build(at);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { assets } = JSON.parse(await readFile(join(at, 'dist/version.json'), 'utf8')) as RemoteManifest;
    const [photo] = assets.map(({ path }) => path).filter((path) => path.endsWith('.jpg'));
    expect(photo).toMatch(/^photo\.[0-9a-f]{12}\.jpg$/);
    expect(await readFile(join(at, 'dist/browser', photo ?? ''), 'utf8')).toBe('no picture');
    const server = await readFile(join(at, 'dist/server/server.js'), 'utf8');
    expect(server).toContain(`__webpack_require__.p + "${photo}"`);
    expect(server).toContain('__webpack_require__.p = "/assets/mfe-test/"');
  });

  test('with a file name that is invalid in URLs is rejected with that name', async () => {
    const page = `import photo from './unser büro.jpg';
export default function P() { return <img src={photo} alt="" width={2} height={1} />; }`;
    const at = await writeRemote('with-odd-name', withCard, page);
    await writeFile(join(at, 'src/pages/unser büro.jpg'), 'no picture');
    const { code, stderr } = await build(at);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^mfe-test cannot be published as it is\. Rename the rejected file, .*:\n {2}assets\.\d+\.path: A file path is relative, .* \(got "unser büro\.[0-9a-f]{12}\.jpg"\)\n$/,
      ) as string,
    });
    await expect(readdir(join(at, 'dist'))).rejects.toThrow('ENOENT');
  });

  describe('of lazily loaded parts', () => {
    const page = `import { later } from '@site/ui/later';
import styles from './a.module.css';
const Outer = later(() => import(/* webpackChunkName: "later-outer" */ '../outer.tsx'));
export default function P() { return <p className={styles.page}><Outer /></p>; }`;
    const outer = `import { later } from '@site/ui/later';
import styles from './outer.module.css';
const Inner = later(() => import(/* webpackChunkName: "later-inner" */ './inner.tsx'));
export default function Outer() { return <p className={styles.outer}><Inner /></p>; }`;
    const inner = `import styles from './inner.module.css';
export default function Inner() { return <p className={styles.inner}>inner</p>; }`;
    const write = async (at: string) => {
      const folder = await writeRemote(at, config(''), page);
      // Affected by browserslist: other browsers get other colors, initial values and merged selectors.
      await writeFile(
        join(folder, 'src/pages/a.module.css'),
        '.page { box-sizing: content-box; color: rgba(0, 0, 0, 0.5) } .page:focus-visible { top: 0 } .page::placeholder { top: 0 }',
      );
      await writeFile(join(folder, 'src/outer.tsx'), outer);
      await writeFile(join(folder, 'src/outer.module.css'), '.outer { left: 0 }');
      await writeFile(join(folder, 'src/inner.tsx'), inner);
      await writeFile(join(folder, 'src/inner.module.css'), '.inner { right: 0 }');
      return folder;
    };
    let at: string;
    let printed: string;
    beforeAll(async () => {
      at = await write('with-later');
      printed = (await build(at)).stdout;
    });

    test('lists their styles for the document, at any depth', async () => {
      const text = await readFile(join(at, 'dist/version.json'), 'utf8');
      const [first] = (JSON.parse(text) as RemoteManifest).pages;
      expect(first?.css.map((path) => path.replace(/\.[0-9a-f]{12}/, ''))).toEqual([
        'styles.css',
        'later-outer.css',
        'later-inner.css',
      ]);
    });

    test('has the same version id with other browsers in the environment, and in a folder whose path has "#"', async () => {
      const other = await write('c#/with-later');
      const made = await build(other, { BROWSERSLIST: 'chrome 120' });
      expect(made).toEqual({ code: 0, stdout: printed, stderr: '' });
      const readMap = await readSourceMaps(await readFile(join(other, 'dist/source-maps.gz')));
      const manifest = JSON.parse(await readFile(join(other, 'dist/version.json'), 'utf8')) as RemoteManifest;
      const { sources } = readMap(manifest.pages[0]?.js.at(-1) ?? '') as { sources: string[] };
      expect(sources).toContain('src/pages/a-page.tsx');
    });

    test('has the same version id below a folder with a browserslist and a cssnano configuration', async () => {
      const other = await write('above/with-later');
      await writeFile(join(scratch, 'above/.browserslistrc'), 'chrome 120');
      await writeFile(join(scratch, 'above/.cssnanorc.json'), '{ "preset": ["lite", {}] }');
      expect(await build(other)).toEqual({ code: 0, stdout: printed, stderr: '' });
    });
  });

  test('has a preview image of 1200 × 630 pixels for a page with a card, and for no other page', async () => {
    const [first, second] = manifest.pages;
    expect(first?.card).toEqual({
      file: expect.stringMatching(/^cards\/a\.[0-9a-f]{12}\.png$/) as string,
      text: 'The first page',
    });
    expect(second?.card).toBeUndefined();
    expect(manifest.assets.map(({ path }) => path)).toContain(first?.card?.file);
    const png = await readFile(join(folder, 'dist/browser', first?.card?.file ?? ''));
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test('has an entry with a content hash in its name and the integrity of every file that it loads', async () => {
    const entry = await readFile(join(folder, 'dist/browser', manifest.entry), 'utf8');
    expect(manifest.entry).toMatch(/^remoteEntry\.[0-9a-f]{12}\.js$/);
    const loaded = manifest.assets.filter(
      ({ path }) => path !== manifest.entry && !path.startsWith('cards/'),
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const { path } of loaded) {
      const bytes = await readFile(join(folder, 'dist/browser', path));
      expect(entry).toContain(createHash('sha384').update(bytes).digest('base64'));
    }
  });

  test('has source maps for all scripts, in a file that is not served', async () => {
    const page = `/* five

lines */
export default function P(): never {
  throw new Error('marker of a line');
}`;
    const at = await writeRemote('mapped', withCard, page);
    await build(at);
    const built = JSON.parse(await readFile(join(at, 'dist/version.json'), 'utf8')) as RemoteManifest;
    const packed = await readFile(join(at, 'dist/source-maps.gz'));
    expect(built.sourceMaps).toEqual({
      path: 'source-maps.gz',
      size: packed.length,
      integrity: `sha384-${createHash('sha384').update(packed).digest('base64')}`,
    });
    const readMap = await readSourceMaps(packed);
    const scripts = built.assets.filter(({ path }) => path.endsWith('.js'));
    const found: unknown[] = [];
    for (const { path } of scripts) {
      const script = await readFile(join(at, 'dist/browser', path), 'utf8');
      expect(script).not.toContain('sourceMappingURL');
      const map = readMap(path) as { mappings: string; sources: string[]; sourcesContent?: unknown };
      expect(map).not.toHaveProperty('sourcesContent');
      const lines = script.split('\n');
      decode(map.mappings).forEach((segments, line) => {
        for (const [column, source = 0, sourceLine = 0] of segments) {
          expect(column).toBeLessThanOrEqual(lines[line]?.length ?? -1);
          if (lines[line]?.startsWith('Error("marker', column))
            found.push([map.sources[source], sourceLine + 1]);
        }
      });
    }
    expect(found).toEqual([['src/pages/a-page.tsx', 5]]);
    const served = await readdir(join(at, 'dist/browser'), { recursive: true });
    expect(served.filter((path) => path.includes('map'))).toEqual([]);
  });
});
