import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Brand } from '@site/contract';
import { createToken } from '@site/server/secrets';
import { freePorts } from '@site/server/testing/free-ports';
import { until } from '../e2e/harness/until.ts';
import { missingOf, run, startProgram, type Program } from './harness/program.ts';

/** The Debian package and the image, built from this checkout: installed, started, and used. */

const missing = [
  ...missingOf(['mmdebstrap', 'buildah', 'umoci', 'runc', 'dpkg-deb', 'strip', 'unshare', 'systemd-analyze']),
  ...(process.getuid?.() === 0 ? [] : ['root']),
];
if (missing.length > 0) process.stderr.write(`Packages are not tested without: ${missing.join(', ')}.\n`);
const testIf = missing.length === 0 ? test : test.skip;

const DATA = 'var/lib/site-platform';
/** The image's user. */
const USER = 65_532;

let folder: string;

beforeAll(async () => {
  // On disk: a chroot needs device files, which memory folders may forbid.
  folder = await mkdtemp(join(process.cwd(), 'node_modules/.cache/packages-'));
  if (missing.length > 0) return;
  await run(process.execPath, ['deploy/package/package.ts', '--out', folder, 'deb', 'image']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const built = async (extension: string) =>
  join(folder, (await readdir(folder)).find((name) => name.endsWith(extension)) ?? extension);

const page = async (port: number) => (await fetch(`http://localhost:${port}/home`)).text();

/** Makes a release and rolls it back, with the installed command line. */
async function releaseAndRollBack(
  command: (...args: string[]) => Promise<unknown>,
  brandFile: string,
  port: number,
): Promise<void> {
  expect(await page(port)).not.toContain('Renamed, Inc.');
  await command('config', 'set', '--brand', brandFile, '--reason', 'a new name');
  expect(await page(port)).toContain('Renamed, Inc.');
  await command('config', 'rollback', '--reason', 'the old name');
  expect(await page(port)).not.toContain('Renamed, Inc.');
}

const brand = async () => JSON.parse(await readFile('brand.json', 'utf8')) as Brand;
const renamed = async () => JSON.stringify({ ...(await brand()), legalName: 'Renamed, Inc.' });

testIf(
  'the image runs the site without root on a read-only file system, releases and rolls back',
  async () => {
    const layout = join(folder, 'layout');
    const bundle = join(folder, 'bundle');
    const data = join(folder, 'data');
    await mkdir(layout);
    await mkdir(data);
    await chown(data, USER, USER);
    await writeFile(join(data, 'brand.json'), await renamed());
    await run('tar', ['-xf', await built('.oci.tar'), '-C', layout]);
    await run('umoci', ['unpack', '--image', `${layout}:site-platform:1.0.0`, bundle]);
    const port = await freePorts(5);
    const file = join(bundle, 'config.json');
    const config = JSON.parse(await readFile(file, 'utf8')) as {
      process: { terminal: boolean; args: string[]; env: string[]; user: { uid: number } };
      root: { readonly: boolean };
      mounts: object[];
      linux: { namespaces: { type: string }[] };
    };
    expect(config.process.user.uid).toBe(USER);
    config.process.terminal = false;
    config.process.args.push('all');
    config.process.env.push(`PORT=${port}`);
    config.root.readonly = true;
    config.linux.namespaces = config.linux.namespaces.filter(({ type }) => type !== 'network');
    config.mounts = [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs' },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] },
      { destination: `/${DATA}`, type: 'bind', source: data, options: ['rbind', 'rw'] },
    ];
    await writeFile(file, JSON.stringify(config));
    const runc = ['--root', join(folder, 'runc')];
    const id = `site-${process.pid}`;
    const container = await startProgram(['runc', ...runc, 'run', '--bundle', bundle, id], {
      ready: 'ready:',
    });
    try {
      const inside = (...args: string[]) =>
        run('runc', [...runc, 'exec', id, '/usr/bin/site-platform', ...args]);
      await releaseAndRollBack((...args) => inside('cli', ...args), `/${DATA}/brand.json`, port);
    } finally {
      await container.stop();
    }
  },
);

testIf(
  'the Debian package installs, runs each process as its user, releases, rolls back, and is removed',
  async () => {
    const root = join(folder, 'chroot');
    const systemd = 'systemd-standalone-sysusers,systemd-standalone-tmpfiles';
    await run('mmdebstrap', [
      ...['--variant=essential', '--mode=root', `--include=libstdc++6,libatomic1,util-linux,${systemd}`],
      ...['bookworm', root],
    ]);
    await cp(await built('.deb'), join(root, 'site-platform.deb'));
    await cp('deploy/container/etc/hosts', join(root, 'etc/hosts'));
    /** In the chroot, with /proc and devices that end with the command. */
    const inside = (command: string, as = 'root'): string[] => {
      const mounts = `mount -t proc proc ${root}/proc && mount --bind /dev ${root}/dev`;
      const enter = `exec chroot --userspec=${as}:${as} ${root} ${command}`;
      return ['unshare', '--mount', 'sh', '-c', `${mounts} && ${enter}`];
    };
    const runInside = (command: string, env: Record<string, string> = {}) => {
      const [program = '', ...args] = inside(command);
      return run(program, args, { env: { PATH: process.env['PATH'], ...env } });
    };
    await runInside('dpkg -i /site-platform.deb');

    const site = await freePorts(5);
    const [ops, gateway, forms, registry] = [site + 1, site + 2, site + 3, site + 4] as const;
    const address = (port: number) => `http://localhost:${port}/`;
    const env = { SITE_TOKEN: createToken(), SITE_REGISTRY: address(registry) };
    const config = {
      origin: `http://localhost:${site}`,
      mode: 'staging',
      gateway: { base: address(gateway), appId: 'site-gateway' },
      forms: { base: address(forms), appId: 'site-forms' },
      brand: await brand(),
    };
    await writeFile(join(root, 'site.json'), JSON.stringify(config));
    await writeFile(join(root, 'brand.json'), await renamed());
    const started: Program[] = [];
    /** As in `site@.service`. */
    const start = async (role: string, ready: string, settings: Record<string, string>) => {
      const data = `/${DATA}/${role}`;
      await runInside(`install -d -o site-platform -g site-platform ${data}`);
      const defaults = {
        NODE_ENV: 'production',
        DATA_DIR: data,
        ARTIFACTS: `/${DATA}/artifacts`,
        DRAIN_SECONDS: '0',
      };
      started.push(
        await startProgram(inside(`/usr/bin/site-platform ${role}`, 'site-platform'), {
          ready,
          env: { ...defaults, ...settings },
        }),
      );
    };
    try {
      await start('registry', 'registry: ', { PORT: String(registry), OPS_TOKEN: env.SITE_TOKEN });
      await start('gateway', 'listening on ', { PORT: String(gateway), SITE_ORIGINS: config.origin });
      await start('forms', 'listening on ', {
        ...{ PORT: String(forms), SITE_ORIGINS: config.origin, PUBLIC_URL: address(forms) },
        JWKS_URL: `${address(gateway)}.well-known/jwks.json`,
      });
      const { stdout } = await runInside('site-platform cli token create edge --scope edge:edge', env);
      await start('edge', 'edge: ', {
        ...{ PORT: String(site), OPS_PORT: String(ops), REGISTRY_URL: address(registry) },
        ...{ EDGE_ID: 'edge', EDGE_TOKEN: stdout.trim() },
      });
      await runInside('site-platform release /site.json', env);
      await until(async () => (await fetch(`${address(ops)}readyz`)).ok);
      await releaseAndRollBack(
        (...args) => runInside(`site-platform cli ${args.map((arg) => `'${arg}'`).join(' ')}`, env),
        '/brand.json',
        site,
      );
      await runInside('site-platform health edge', { OPS_PORT: String(ops) });
      const unhealthy = await runInside('site-platform health gateway', { PORT: '1024' }).catch(
        (error: unknown) => error,
      );
      expect(unhealthy).toMatchObject({
        stderr: expect.stringContaining('does not respond (ECONNREFUSED)') as string,
      });
    } finally {
      for (const program of started.reverse()) await program.stop();
    }

    await runInside('dpkg --purge site-platform');
    expect(await readdir(join(root, 'usr/lib'))).not.toContain('site-platform');
    expect(await readdir(join(root, DATA))).toContain('artifacts');
  },
);

testIf('systemd accepts the units, and rates each of them safe', async () => {
  const root = join(folder, 'files');
  for (const role of ['registry', 'edge', 'gateway', 'forms']) {
    const { stdout } = await run('systemd-analyze', [
      ...['security', '--offline=true', '--threshold=25', `--root=${root}`, `site@${role}.service`],
    ]);
    expect(stdout).toContain('Overall exposure level');
    const { stderr } = await run('systemd-analyze', [
      ...['verify', `--root=${root}`, `site@${role}.service`, `site@${role}.socket`],
    ]).catch((error: unknown) => error as { stderr: string });
    // Units of systemd itself are not in this root.
    expect(stderr.replaceAll(/.*Unit sysinit.target not found.*\n/g, '')).toBe('');
  }
});

testIf(
  'only modules that a process loads are in the package, with licences and a list of packages',
  async () => {
    const doc = join(folder, 'files/usr/share/doc/site-platform');
    const files = await readFile(join(doc, 'files.txt'), 'utf8');
    expect(files).toContain('delivery/registry/src/main.ts\n');
    expect(files).toContain('node_modules/fastify/LICENSE\n');
    expect(files).not.toMatch(/\.test\.|\/testing\/|node_modules\/(webpack|typescript|jest)\//);
    const { packages } = JSON.parse(await readFile(join(doc, 'sbom.spdx.json'), 'utf8')) as {
      packages: { name: string }[];
    };
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', '@site/registry', '@electric-sql/pglite']));
    expect(names).not.toContain('webpack');
  },
);
