import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { root, stage } from './stage.ts';

/**
 * `npm run package [-- --out <folder>] [tar] [deb] [image]`: builds the installed tree and, from it, a tarball, a
 * Debian package and an OCI image (default: all), reproducibly: SOURCE_DATE_EPOCH is the time of the last commit.
 */
const builders = { tar: buildTar, deb: buildDeb, image: buildImage };
const BASE_PACKAGES = 'base-files,libc6,libstdc++6,libatomic1,util-linux,dash,coreutils,tzdata';

const run = promisify(execFile);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: join(root, 'node_modules/.cache/package') } },
});
const unknown = positionals.find((kind) => !Object.hasOwn(builders, kind));
if (unknown !== undefined) {
  process.stderr.write(`"${unknown}" is none of: ${Object.keys(builders).join(', ')}.\n`);
  process.exit(1);
}
const kinds = (positionals.length > 0 ? positionals : Object.keys(builders)) as (keyof typeof builders)[];
const out = resolve(values.out);
const files = join(out, 'files');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;
const name = `site-platform_${version}_${arch}`;
const time = (await run('git', ['log', '-1', '--format=%ct'], { cwd: root })).stdout.trim();
const epoch = process.env['SOURCE_DATE_EPOCH'] ?? time;
const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };

await rm(files, { recursive: true, force: true });
const staged = await stage(files, new Date(Number(epoch) * 1000));
const { stdout: size } = await run('du', ['-sk', files]);
process.stdout.write(`${staged.length} files, ${Math.round(parseInt(size) / 1024)} MB: ${files}\n`);
for (const kind of kinds) process.stdout.write(`${kind}: ${await builders[kind]()}\n`);

async function buildTar(): Promise<string> {
  const file = join(out, `${name}.tar.gz`);
  const sorted = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
  await tool('tar', [...sorted, '-C', files, '-czf', file, '.'], 'tar');
  return sized(file);
}

async function buildDeb(): Promise<string> {
  const folder = join(out, 'deb');
  await rm(folder, { recursive: true, force: true });
  await cp(files, folder, { recursive: true, verbatimSymlinks: true });
  await mkdir(join(folder, 'DEBIAN'));
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await cp(join(root, 'deploy/debian', script), join(folder, 'DEBIAN', script));
    await chmod(join(folder, 'DEBIAN', script), 0o755);
  }
  const control = await readFile(join(root, 'deploy/debian/control'), 'utf8');
  const fields = { VERSION: version, ARCH: arch, SIZE: String(parseInt(size)) };
  const settings = ['registry', 'edge', 'gateway', 'forms'].map((role) => `/etc/site-platform/${role}.env\n`);
  await writeFile(join(folder, 'DEBIAN/conffiles'), settings.join(''));
  await writeFile(
    join(folder, 'DEBIAN/control'),
    control.replace(/@(\w+)@/g, (_, field: keyof typeof fields) => fields[field]),
  );
  const file = join(out, `${name}.deb`);
  await tool('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', folder, file], 'dpkg');
  return sized(file);
}

async function buildImage(): Promise<string> {
  const context = join(out, 'context');
  await rm(context, { recursive: true, force: true });
  await mkdir(context);
  // Parts of packages that no process reads.
  const unread = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
  await tool(
    'mmdebstrap',
    [
      ...['--variant=extract', '--mode=root', `--include=${BASE_PACKAGES}`],
      ...unread.map((path) => `--dpkgopt=path-exclude=${path}`),
      // No package runs its scripts here: they would make the shell's link, and the user's folder.
      '--customize-hook=ln -sf dash "$1/usr/bin/sh"',
      '--customize-hook=install -d -o 65532 -g 65532 "$1/var/lib/site-platform" "$1/tmp"',
      ...['bookworm', join(context, 'base.tar')],
    ],
    'mmdebstrap',
  );
  await cp(files, join(context, 'files'), { recursive: true, verbatimSymlinks: true });
  await rm(join(context, 'files/usr/lib/systemd'), { recursive: true });
  await cp(join(root, 'deploy/container/etc'), join(context, 'etc'), { recursive: true });
  const file = join(out, `${name}.oci.tar`);
  await rm(file, { force: true });
  const storage = ['--storage-driver', 'vfs', '--root', join(out, 'storage'), '--runroot', join(out, 'run')];
  const image = `site-platform:${version}`;
  await tool(
    'buildah',
    [
      ...storage,
      ...['build', '--isolation', 'chroot', '--format', 'oci', '--timestamp', epoch],
      ...['--file', join(root, 'deploy/container/Containerfile'), '--tag', image, context],
    ],
    'buildah',
  );
  await tool('buildah', [...storage, 'push', image, `oci-archive:${file}:${image}`], 'buildah');
  await rm(join(out, 'storage'), { recursive: true });
  return sized(file);
}

async function sized(file: string): Promise<string> {
  return `${file} (${Math.round((await stat(file)).size / 1e6)} MB)`;
}

/** @throws Error that names the Debian package, if the tool is missing. */
async function tool(command: string, args: string[], debianPackage: string): Promise<void> {
  try {
    await run(command, args, { env, maxBuffer: 64 * 1024 * 1024 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Error(`${command} is not installed: apt-get install ${debianPackage}`, { cause });
  }
}
