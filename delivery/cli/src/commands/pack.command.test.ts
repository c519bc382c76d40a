import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAt } from '../testing/run-here.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'site-pack-command-'));
  const dependencies = { react: '^19.3.1', '@site/kit': '^1.0.0' };
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: 'mfe-careers', version: '1.0.0', dependencies }),
  );
  await writeFile(
    join(root, 'remote.config.ts'),
    "export default { name: 'mfe-careers', owner: 'people', pages: [{ path: '/careers', page: './src/careers-page.tsx' }], redirects: [] };",
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

const pack = (...args: string[]) => runAt({ root, ownApp: 'mfe-careers' }, {}, 'pack', ...args);

const assets = { sync: [], async: [] };
const files = { js: assets, css: assets };
const manifest = {
  metaData: {
    globalName: 'careers',
    pluginVersion: '2.9.2',
    publicPath: 'auto',
    remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
  },
  shared: [{ name: '@site/kit', singleton: true, assets: files }],
  remotes: [],
  exposes: [{ path: './careers-page', assets: { ...files, js: { sync: ['a.00000000.js'], async: [] } } }],
};

async function writeBundle(folder: string, name: string): Promise<void> {
  const metaData = { ...manifest.metaData, globalName: name };
  const written = {
    'browser/mf-manifest.json': JSON.stringify({ ...manifest, metaData }),
    'browser/remoteEntry.js': 'document.createElement("script")',
    'browser/a.00000000.js': '',
    'server/careers-page.js': '',
  };
  for (const [path, text] of Object.entries(written)) {
    await mkdir(join(root, folder, path, '..'), { recursive: true });
    await writeFile(join(root, folder, path), text);
  }
}

describe('with the package that packs', () => {
  beforeEach(() => symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules')));

  test('prints the new version and the next command', async () => {
    await writeBundle('out', 'mfe_careers');
    const { code, out, err } = await pack('--from', 'out');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^packed mfe-careers@1\.0\.0-[0-9a-f]{12} into dist\/\nAdd it to the end of "npm run build": then "npx @site\/cli publish mfe-careers" always publishes the current sources\.\n$/,
    );
    const packed = JSON.parse((await pack('--from', 'out', '--json')).out) as {
      app: string;
      version: string;
    };
    expect(out).toContain(`${packed.app}@${packed.version}`);
  });

  test('lists the required changes and exits with 1', async () => {
    await writeBundle('dist.bundle', 'careers');
    const { code, out, err } = await pack();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('The container is named "careers": write name: "mfe_careers"');
    expect(err).toContain('(pack_refused)');
  });

  test('without a build names the folder it searched', async () => {
    expect((await pack()).err).toMatch(/There is no file ".*dist\.bundle\/browser\/mf-manifest\.json"/);
  });
});

test('without the build package prints how to install it', async () => {
  const { code, err } = await pack();
  expect(code).toBe(1);
  expect(err).toMatch(/has no package @site\/build that can pack: run "npm install".*\(builder_missing\)/);
});
