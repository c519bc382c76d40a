import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compileFunction, runInNewContext } from 'node:vm';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import type { RemoteManifest } from '@site/contract';
import { readSourceMaps } from '@site/contract/source-maps';
import type { App } from './app.ts';
import { packContainer } from './pack-container.ts';
import { isStale } from './stale.ts';

let folder: string;
let app: App;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-pack-'));
  app = {
    name: 'mfe-test',
    folder,
    packageVersion: '1.2.3',
    remote: {
      name: 'mfe-test',
      owner: 'people',
      pages: [{ path: '/test', page: './src/pages/a-page.tsx' }],
      redirects: [],
    },
    shell: null,
    sharedVersions: { react: '^19.3.1', '@site/kit': '^1.0.0' },
  };
  await write('package.json', JSON.stringify({ name: 'mfe-test', version: '1.2.3' }));
  for (const [path, text] of Object.entries(standard())) await write(`dist.bundle/${path}`, text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const entry = `var mfe_test;(()=>{var s=document.createElement("script");s.src="/assets/mfe-test/a.0123456789abcdef.js"})();
//# sourceMappingURL=remoteEntry.js.map`;
const page = `(self.rspackChunkmfe_test=self.rspackChunkmfe_test||[]).push([[1],{}]);
//# sourceMappingURL=a.0123456789abcdef.js.map`;
const map = {
  version: 3,
  sources: ['webpack://mfe-test/./src/pages/a-page.tsx'],
  names: [],
  mappings: 'AAAA',
};

/** A bundler's output with the required settings. */
function standard(): Record<string, string> {
  return {
    'browser/mf-manifest.json': JSON.stringify(manifest()),
    'browser/mf-stats.json': '{}',
    'browser/@mf-types.zip': 'types',
    'browser/remoteEntry.js': entry,
    'browser/remoteEntry.js.map': JSON.stringify({
      ...map,
      mappings: encode([[[entry.indexOf('s.src'), 0, 0, 0]]]),
    }),
    'browser/a.0123456789abcdef.js': page,
    'browser/a.0123456789abcdef.js.map': JSON.stringify(map),
    'browser/a.fedcba9876543210.css':
      '.mfe-test-a{color:red}\n/*# sourceMappingURL=a.fedcba9876543210.css.map*/',
    'browser/a.fedcba9876543210.css.map': '{}',
    'browser/later.00aa00aa.css': '.mfe-test-b{color:red}',
    'server/a-page.js': 'module.exports = { default: function A() { return require("react").name; } };',
  };
}

const assets = (js: string[] = [], css: string[] = [], later: string[] = []) => ({
  js: { sync: js, async: [] },
  css: { sync: css, async: later },
});
const shared = (name: string, requiredVersion: string) => ({
  name,
  singleton: true,
  requiredVersion,
  assets: assets(),
});

function manifest() {
  return {
    id: 'mfe_test',
    metaData: {
      name: 'mfe_test',
      globalName: 'mfe_test',
      pluginVersion: '2.9.2',
      publicPath: 'auto',
      remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
    },
    shared: [shared('react', '^19.3.1'), shared('@site/kit', '^1.0.0')],
    remotes: [] as unknown[],
    exposes: [
      {
        path: './a-page',
        assets: assets(['a.0123456789abcdef.js'], ['a.fedcba9876543210.css'], ['later.00aa00aa.css']),
      },
    ],
  };
}

const pack = (from = 'dist.bundle', inBuildScript = true) =>
  packContainer(app, from, inBuildScript) as Promise<RemoteManifest>;
const packed = (path: string) => readFile(join(folder, 'dist', path), 'utf8');

/** Packs with a changed manifest. */
async function packWith(change: (it: ReturnType<typeof manifest>) => void): Promise<unknown> {
  const changed = manifest();
  change(changed);
  await write('dist.bundle/browser/mf-manifest.json', JSON.stringify(changed));
  return pack();
}

describe('a standard container', () => {
  test("becomes a version: a hashed entry, the page's files, its requirements", async () => {
    const made = await pack();
    expect(made).toMatchObject({
      kind: 'remote',
      app: 'mfe-test',
      owner: 'people',
      entry: expect.stringMatching(/^remoteEntry\.[0-9a-f]{12}\.js$/) as string,
      pages: [
        {
          path: '/test',
          module: './a-page',
          js: ['a.0123456789abcdef.js'],
          css: ['a.fedcba9876543210.css', 'later.00aa00aa.css'],
        },
      ],
      requires: { react: '^19.3.1', '@site/kit': '^1.0.0' },
      ownRuntime: true,
    });
    expect(made.version).toMatch(/^1\.2\.3-[0-9a-f]{12}$/);
    expect(JSON.parse(await packed('version.json'))).toEqual(made);
    expect((await pack()).version).toBe(made.version);
    expect(await readdir(folder)).toEqual(['dist', 'dist.bundle', 'package.json']);
  });

  test('serves neither manifest, types and source maps, nor URLs of maps', async () => {
    const { assets: served } = await pack();
    expect(served.map(({ path }) => path)).toEqual([
      'a.0123456789abcdef.js',
      'a.fedcba9876543210.css',
      'later.00aa00aa.css',
      expect.stringMatching(/^remoteEntry\./),
    ]);
    for (const { path } of served) expect(await packed(`browser/${path}`)).not.toContain('sourceMappingURL');
  });

  test('stores source maps separately: with repository paths, and columns adjusted for inserted code', async () => {
    const made = await pack();
    const readMap = await readSourceMaps(await readFile(join(folder, 'dist/source-maps.gz')));
    expect(readMap('a.0123456789abcdef.js')).toMatchObject({ sources: ['src/pages/a-page.tsx'] });
    const { mappings } = readMap(made.entry) as { mappings: string };
    const [[[column] = []] = []] = decode(mappings);
    expect((await packed(`browser/${made.entry}`)).slice(column)).toMatch(/^s\.src=/);
  });

  test('adds the integrity to each script that its entry loads, and a non-matching one for unknown scripts', async () => {
    const made = await pack();
    const script = { attributes: {} as Record<string, string>, integrity: '', crossOrigin: '' };
    const element = Object.assign(script, {
      setAttribute: (name: string, value: string) => (script.attributes[name] = value),
      getAttribute: (name: string) => script.attributes[name],
    });
    runInNewContext(await packed(`browser/${made.entry}`), { document: { createElement: () => element } });
    const bytes = await packed('browser/a.0123456789abcdef.js');
    expect(script.integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    expect(script.crossOrigin).toBe('anonymous');
    expect((element as unknown as { src: string }).src).toBe('/assets/mfe-test/a.0123456789abcdef.js');
    Reflect.set(element, 'src', 'https://elsewhere.example/b.js');
    expect(script.integrity).toBe(`sha384-${'A'.repeat(64)}`);
  });

  test('has one server bundle, with the page under its module key', async () => {
    await pack();
    const module = { exports: {} as Record<string, () => string> };
    const run = compileFunction(await packed('server/server.js'), ['module', 'exports', 'require']) as (
      ...values: unknown[]
    ) => void;
    run(module, module.exports, () => ({ name: 'react of the shell' }));
    expect(module.exports['./a-page']?.()).toBe('react of the shell');
  });
});

test('a stylesheet may have absolute URLs', async () => {
  const css =
    '/* url(a.jpg) */.mfe-test-a{content:"url(b.jpg)";background:url(/assets/mfe-test/c.png),url("data:image/png;base64,AA==");filter:url(#blur)}';
  await write('dist.bundle/browser/a.fedcba9876543210.css', css);
  await pack();
  expect(await packed('browser/a.fedcba9876543210.css')).toBe(css);
});

describe('the sources of a packed version', () => {
  beforeEach(() => write('src/pages/a-page.tsx', 'before'));

  test('are the ones that the build script has just bundled', async () => {
    await pack();
    expect(await isStale(folder)).toBe(false);
    await write('src/pages/a-page.tsx', 'after');
    expect(await isStale(folder)).toBe(true);
  });

  test('are unknown when packed by hand', async () => {
    await pack('dist.bundle', false);
    expect(await isStale(folder)).toBe(true);
  });

  test("stay the build script's when the same bundle is packed again by hand", async () => {
    await pack();
    await pack('dist.bundle', false);
    expect(await isStale(folder)).toBe(false);
    // The edit is not bundled: the bundle is unchanged.
    await write('src/pages/a-page.tsx', 'after');
    await pack('dist.bundle', false);
    expect(await isStale(folder)).toBe(true);
  });

  test('have no commit if they are unknown', async () => {
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        cwd: folder,
      });
    await write('.gitignore', 'dist*\n');
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    expect((await pack('dist.bundle', false)).commit).toBeNull();
    const { commit } = await pack();
    expect(commit).toMatch(/^[0-9a-f]{12}$/);
    await write('src/pages/a-page.tsx', 'after');
    await git('commit', '--quiet', '-a', '-m', 'second');
    expect((await pack('dist.bundle', false)).commit).toBe(commit);
  });
});

describe('problems are rejected with the required changes', () => {
  const cases: [string, (it: ReturnType<typeof manifest>) => void, string][] = [
    [
      'another version of the plugin',
      (it) => (it.metaData.pluginVersion = '3.0.0'),
      'The federation plugin has version 3.0.0',
    ],
    ['another name', (it) => (it.metaData.globalName = 'test'), 'write name: "mfe_test"'],
    [
      'a container of modules',
      (it) => (it.metaData.remoteEntry.type = 'module'),
      'write library: { type: "var"',
    ],
    [
      'an entry in a folder',
      (it) => (it.metaData.remoteEntry.path = 'static/'),
      'write filename: "remoteEntry.js"',
    ],
    [
      'another public path',
      (it) => (it.metaData.publicPath = 'https://cdn.example/'),
      'write output.publicPath: "/assets/mfe-test/"',
    ],
    ['its own remotes', (it) => it.remotes.push({}), 'remove "remotes"'],
    [
      'a page that is not exposed',
      (it) => it.exposes.pop(),
      'write exposes: { "./a-page": "./src/pages/a-page.tsx" }',
    ],
    [
      'React that is not a singleton',
      (it) => (it.shared[0] = { ...shared('react', '^19.3.1'), singleton: false }),
      '"react" is not a singleton',
    ],
    [
      'another range of React',
      (it) => (it.shared[0] = shared('react', '^18.0.0')),
      '"react" is required as "^18.0.0", but package.json has "^19.3.1"',
    ],
    [
      'React that is bundled as well',
      (it) => (it.shared[0] = { ...shared('react', '^19.3.1'), assets: assets(['r.js']) }),
      '"react" is also bundled',
    ],
    [
      'a kit that is not shared',
      (it) => it.shared.pop(),
      '"@site/kit", which every page uses, is not shared',
    ],
    [
      'a module that the shell does not provide',
      (it) => it.shared.push(shared('lodash', '^4.0.0')),
      '"lodash" is shared, but the shell does not provide it',
    ],
    [
      'a missing file',
      (it) => it.exposes[0]?.assets.js.sync.push('b.00000000.js'),
      'lists "b.00000000.js", which does not exist',
    ],
  ];
  test.each(cases)('%s', async (_what, change, message) => {
    await expect(packWith(change)).rejects.toThrow(message);
  });

  test('all problems are reported together', async () => {
    const all = packWith((it) => {
      it.metaData.globalName = 'test';
      it.metaData.publicPath = '/';
    });
    await expect(all).rejects.toThrow(
      /^mfe-test cannot be packed.*\n- The container is.*\n- The public path is "\/"/,
    );
    await expect(readdir(join(folder, 'dist'))).rejects.toThrow('ENOENT');
  });

  const files: [string, string, string, string][] = [
    [
      'a script without a hash in its name',
      'browser/common.js',
      '',
      'The name of "common.js" has no content hash',
    ],
    [
      'React in a script',
      'browser/v.00000000.js',
      'x.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=1',
      '"v.00000000.js" contains React',
    ],
    [
      'an entry that adds scripts in another way',
      'browser/remoteEntry.js',
      'var mfe_test;',
      '"remoteEntry.js" does not add scripts',
    ],
    ['a server file without a page', 'server/12.js', '', 'server/12.js belongs to no page'],
    [
      'a server file of a renamed page',
      'server/old-page.js',
      'module.exports = {}',
      'output.clean: true, if it is left over from an earlier build',
    ],
    [
      'a script of an earlier build',
      'browser/a.1111111111111111.js',
      '',
      'Nothing references "a.1111111111111111.js", which may be left over from an earlier build: build into an empty folder (output.clean: true).',
    ],
    [
      'a source map without its script',
      'browser/a.1111111111111111.js.map',
      JSON.stringify(map),
      'Nothing references "a.1111111111111111.js.map"',
    ],
    [
      'a server file with ES modules',
      'server/a-page.js',
      'export default 1',
      'server/a-page.js is not a CommonJS script',
    ],
    [
      'a manifest that is not JSON',
      'browser/mf-manifest.json',
      '{',
      'is not a manifest of Module Federation',
    ],
    ['a manifest with another shape', 'browser/mf-manifest.json', '{"metaData":1}', 'metaData: '],
    ['a manifest that is too large', 'browser/mf-manifest.json', ' '.repeat(4_000_001), 'has 4000001 bytes'],
    [
      'an invalid source map',
      'browser/a.0123456789abcdef.js.map',
      '{}',
      '"a.0123456789abcdef.js.map" is not a source map',
    ],
    ['a name that is invalid in URLs', 'browser/.hidden.js', '', '".hidden.js" in'],
  ];
  test.each(files)('%s', async (_what, path, text, message) => {
    await write(`dist.bundle/${path}`, text);
    await expect(pack()).rejects.toThrow(message);
  });

  test("a picture that only an earlier build's script references", async () => {
    await write('dist.bundle/browser/a.1111111111111111.js', '"/assets/mfe-test/p.2222222222222222.png"');
    await write('dist.bundle/browser/p.2222222222222222.png', 'picture');
    await expect(pack()).rejects.toThrow('Nothing references "p.2222222222222222.png"');
    // The entry references the script, and the script the picture.
    await write('dist.bundle/browser/remoteEntry.js', entry.replace('a.0', 'a.1111111111111111.js;a.0'));
    expect((await pack()).assets.map(({ path }) => path)).toContain('p.2222222222222222.png');
  });

  test.each([
    ['url(ad540339e1cf64c5.jpg)', 'ad540339e1cf64c5.jpg'],
    ['url( "../p.ad540339e1cf64c5.jpg" )', '../p.ad540339e1cf64c5.jpg'],
    ["image-set('./p.jpg' 1x)", './p.jpg'],
  ])('a stylesheet with the relative URL %s', async (value, address) => {
    await write('dist.bundle/browser/a.fedcba9876543210.css', `.mfe-test-a{background:${value}}`);
    await expect(pack()).rejects.toThrow(
      `- "a.fedcba9876543210.css" references "${address}" relative to its own URL, but documents inline stylesheets: write output.publicPath: "/assets/mfe-test/".`,
    );
  });

  test('a path that leaves the folder', async () => {
    const out = packWith((it) => it.exposes[0]?.assets.js.sync.push('../../secret.js'));
    await expect(out).rejects.toThrow(/exposes\.0\.assets\.js\.sync\.1: .* \(got "..\/..\/secret\.js"\)/);
  });

  test('a symbolic link to any target', async () => {
    await symlink('/etc/hostname', join(folder, 'dist.bundle/browser/b.00000000.txt'));
    await expect(pack()).rejects.toThrow('b.00000000.txt" is not a regular file, but a symbolic link');
  });

  test('a manifest that is a symbolic link', async () => {
    const file = join(folder, 'dist.bundle/browser/mf-manifest.json');
    await rm(file);
    await symlink('/etc/hostname', file);
    await expect(pack()).rejects.toThrow('There is no file');
  });

  test('no manifest, no page for Node, no folder', async () => {
    await rm(join(folder, 'dist.bundle/server/a-page.js'));
    await expect(pack()).rejects.toThrow(/server\/a-page\.js, which renders the page, is missing.*commonjs2/);
    await rm(join(folder, 'dist.bundle/browser/mf-manifest.json'));
    await expect(pack()).rejects.toThrow('set "manifest: true" in the federation plugin');
    await expect(pack('nowhere')).rejects.toThrow('nowhere/browser/mf-manifest.json');
    await rm(join(folder, 'dist.bundle'), { recursive: true });
    await write('dist.bundle/browser/mf-manifest.json', JSON.stringify(manifest()));
    await expect(pack()).rejects.toThrow(/server" cannot be read: .*--from/);
  });

  test('the output folder of packing, and the shell', async () => {
    await expect(pack('dist')).rejects.toThrow('let the bundler write to another folder');
    app = { ...app, remote: null };
    await expect(pack()).rejects.toThrow('only remotes can be packed');
  });

  test("more than a version's limits", async () => {
    await write('dist.bundle/browser/big.00000000.png', 'x'.repeat(64 * 1024 * 1024));
    await expect(pack()).rejects.toThrow('has more than 67108864 bytes');
  });
});
