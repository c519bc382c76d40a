import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Brand } from '@site/contract';
import { freePorts } from '@site/server/testing/free-ports';
import { commandsOf } from './harness/guide.ts';
import { missingOf, run, startProgram } from './harness/program.ts';

/** The Debian package and the image, built from this checkout: installed, started, and used. */

const missing = [
  ...missingOf([
    'mmdebstrap',
    'buildah',
    'umoci',
    'runc',
    'dpkg-deb',
    'strip',
    'unshare',
    'ip',
    'systemd-analyze',
  ]),
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

/** Stand-ins for commands of the guide that a chroot lacks, in `/usr/local/bin`. Units start as in `site@.service`. */
const standIns = {
  sudo: 'exec "$@"',
  apt: 'exec dpkg -i /site-platform_*.deb',
  systemctl: `
    for unit; do
      role=\${unit#site@}
      case $unit in
        *.socket | enable | --now) continue ;;
      esac
      install -d -o site-platform -g site-platform /${DATA}/$role
      (
        set -a
        NODE_ENV=production DATA_DIR=/${DATA}/$role ARTIFACTS=/${DATA}/artifacts
        . /etc/site-platform/$role.env
        exec setpriv --reuid site-platform --regid site-platform --init-groups site-platform $role
      ) > /var/log/site-$role.log 2>&1 &
      # A socket of systemd would hold requests until then. An edge is ready after the first release.
      test $role = edge || until site-platform health $role 2> /dev/null; do sleep 0.1; done
    done`,
};

testIf(
  'the guide for one machine, followed literally, installs the Debian package and shows the site',
  async () => {
    const root = join(folder, 'chroot');
    const systemd = 'systemd-standalone-sysusers,systemd-standalone-tmpfiles';
    await run('mmdebstrap', [
      ...['--variant=essential', '--mode=root', `--include=libstdc++6,libatomic1,util-linux,${systemd}`],
      ...['bookworm', root],
    ]);
    const deb = await built('.deb');
    await cp(deb, join(root, basename(deb)));
    await cp('deploy/container/etc/hosts', join(root, 'etc/hosts'));
    await writeFile(join(root, 'brand.json'), await renamed());
    for (const [name, script] of Object.entries(standIns))
      await writeFile(join(root, 'usr/local/bin', name), `#!/bin/sh -e\n${script}\n`, { mode: 0o755 });
    const checks = `
    page() { /usr/lib/site-platform/bin/node -e 'fetch("http://localhost:8080/home").then((page) => page.text()).then(console.log)'; }
    page | grep -q 'Acme Parts, Inc.'
    site-platform cli config set --brand /brand.json --reason 'a new name'
    page | grep -q 'Renamed, Inc.'
    site-platform cli config rollback --reason 'the old name'
    page | grep -q 'Acme Parts, Inc.'
    ! PORT=1024 site-platform health gateway 2> /unhealthy
    dpkg --purge site-platform`;
    await writeFile(
      join(root, 'follow.sh'),
      `trap 'test $? = 0 || tail -n 50 /var/log/site-*.log >&2' EXIT\n${commandsOf('one-machine', 'Debian package')}${checks}\n`,
    );
    // A network with the guide's ports, and processes that end with the script.
    await run('unshare', [
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-ec'],
      `ip link set lo up; mount -t proc proc ${root}/proc; mount --bind /dev ${root}/dev; exec chroot ${root} sh -e /follow.sh`,
    ]);
    expect(await readFile(join(root, 'unhealthy'), 'utf8')).toContain('does not respond (ECONNREFUSED)');
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
    expect(names).toEqual(
      expect.arrayContaining([
        'fastify',
        '@site/registry',
        '@electric-sql/pglite',
        '@opentelemetry/sdk-trace-base',
      ]),
    );
    expect(names).not.toContain('webpack');
  },
);
