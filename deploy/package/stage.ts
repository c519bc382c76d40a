import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile, chmod } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nodeFileTrace } from '@vercel/nft';
import { environmentFiles } from './environment-files.ts';

export const root = join(import.meta.dirname, '../..');
const PREFIX = 'usr/lib/site-platform';
const APPS = /^(shell|mfe-.*)$/;

/** Wrapped by `usr/bin/site-platform`. */
const COMMAND = `#!/bin/sh
exec /${PREFIX}/bin/node /${PREFIX}/deploy/package/launcher.mjs "$@"
`;

interface SpdxPackage {
  SPDXID: string;
  packageFileName?: string;
}

interface Sbom {
  documentNamespace: string;
  creationInfo: { created: string };
  packages: SpdxPackage[];
  relationships: { spdxElementId: string; relatedSpdxElement: string }[];
}

/**
 * Copies the installed file tree (`usr/`, `etc/`) into an empty folder: the modules that the processes load, the built
 * apps, Node, systemd units and environment files, and no sources of tests or builds. `npm ci --omit=dev` would include
 * the compilers of `npm start`; bundles would break the processes and threads that are started from file paths. A file
 * that is loaded by a computed path must be copied here.
 * @param time of the list of packages.
 * @returns the paths in `PREFIX`.
 */
export async function stage(folder: string, time: Date): Promise<string[]> {
  const prefix = join(folder, PREFIX);
  const modules = await tracedFiles();
  const apps = (await readdir(root)).filter((name) => APPS.test(name));
  const builds = apps.map((app) => join(app, 'dist'));
  const copied = [...modules, ...builds, ...(await licences(modules)), 'brand.json'];
  for (const path of copied) {
    await mkdir(dirname(join(prefix, path)), { recursive: true });
    await cp(join(root, path), join(prefix, path), { recursive: true, verbatimSymlinks: true });
  }
  await put(folder, 'usr/bin/site-platform', COMMAND, 0o755);
  await mkdir(join(prefix, 'bin'));
  await promisify(execFile)('strip', [
    ...['-o', join(prefix, 'bin/node')],
    join(root, 'node_modules/node/bin/node'),
  ]);
  await cp(join(root, 'deploy/systemd/units'), join(folder, 'usr/lib/systemd/system'), { recursive: true });
  await cp(join(root, 'deploy/systemd/sysusers.conf'), join(folder, 'usr/lib/sysusers.d/site-platform.conf'));
  await cp(join(root, 'deploy/systemd/tmpfiles.conf'), join(folder, 'usr/lib/tmpfiles.d/site-platform.conf'));
  for (const [role, text] of Object.entries(await environmentFiles()))
    await put(folder, `etc/site-platform/${role}.env`, text, 0o640);
  const doc = 'usr/share/doc/site-platform';
  await cp(join(root, 'deploy/nginx'), join(folder, doc, 'nginx/nginx'), { recursive: true });
  await cp(join(root, 'deploy/nginx.conf'), join(folder, doc, 'nginx/nginx.conf'));
  await cp(join(root, 'deploy/varnish'), join(folder, doc, 'varnish'), { recursive: true });
  await put(folder, `${doc}/files.txt`, `${copied.sort().join('\n')}\n`);
  await put(folder, `${doc}/sbom.spdx.json`, JSON.stringify(await sbom(modules, time), null, 1));
  return copied;
}

async function put(folder: string, path: string, text: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  await chmod(join(folder, path), mode);
}

/** Every file that the launcher can load, as paths from the repository's root. */
async function tracedFiles(): Promise<string[]> {
  const { fileList } = await nodeFileTrace([join(root, 'deploy/package/launcher.mjs')], {
    base: root,
    conditions: ['node', 'import', 'default'],
    mixedModules: true,
    // Node is copied to `bin`; the command line looks for a pinned one only in a checkout.
    ignore: ['node_modules/node/**', 'node_modules/.bin/**'],
    async readFile(path) {
      const source = await readFile(path).catch(() => null);
      return source && /\.ts$/.test(path) ? stripTypeScriptTypes(source.toString()) : source;
    },
  });
  return [...fileList];
}

const packageFolder = (path: string) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
const packageFolders = (modules: string[]) => new Set(modules.flatMap((path) => packageFolder(path) ?? []));

async function licences(modules: string[]): Promise<string[]> {
  const found = await Promise.all(
    [...packageFolders(modules)].map(async (folder) =>
      (await readdir(join(root, folder)))
        .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  return found.flat();
}

/** npm's list of the installed packages, reduced to those with a file in the tree, without random values. */
async function sbom(modules: string[], time: Date): Promise<Sbom> {
  const list = ['sbom', '--sbom-format', 'spdx', '--omit', 'dev', '--workspace', '@site/local'];
  const { stdout } = await promisify(execFile)('npm', list, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = JSON.parse(stdout) as Sbom;
  const folders = packageFolders(modules);
  const isInstalled = ({ packageFileName = '' }: SpdxPackage) =>
    packageFileName === '' || folders.has(packageFileName) || modules.includes(packageFileName);
  const packages = all.packages.filter(isInstalled);
  const ids = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)]);
  const relationships = all.relationships.filter(
    ({ spdxElementId, relatedSpdxElement }) => ids.has(spdxElementId) && ids.has(relatedSpdxElement),
  );
  return {
    ...all,
    documentNamespace: all.documentNamespace.replace(/-[\da-f]{8}-[\da-f-]{27}$/, `-${time.getTime()}`),
    creationInfo: { ...all.creationInfo, created: time.toISOString() },
    packages,
    relationships,
  };
}
