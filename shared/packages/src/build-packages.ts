import { copyFile, mkdir, rm, writeFile, chmod } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { buildDevShell, DEV_SHELL_FOLDER } from '@site/build/dev-shell';
import { compile } from './compile.ts';
import { copiedFiles, declarationFiles, compiledFiles } from './files.ts';
import { publishedManifest } from './manifest.ts';
import { root, type PublishedPackage } from './workspace.ts';

/**
 * Builds each package in its folder for publishing.
 * @throws CompileError if they do not compile; then nothing is written.
 */
export async function buildPackages(packages: readonly PublishedPackage[]): Promise<void> {
  const compiled = compile(
    packages.flatMap((one) => [...compiledFiles(one), ...declarationFiles(one)]),
    'everything',
  );
  for (const one of packages) {
    const { folder, packageJson, built: to } = one;
    const at = (path: string) => join(to, relative(folder, path));
    await rm(to, { recursive: true, force: true });
    for (const [path, text] of compiled) if (path.startsWith(`${folder}/`)) await write(at(path), text);
    for (const path of copiedFiles(one)) {
      await mkdir(dirname(at(path)), { recursive: true });
      await copyFile(join(root, path), at(path));
    }
    const manifest = publishedManifest(packageJson);
    await write(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    // Remotes in other repositories have no sources of the shell.
    if (packageJson.name === '@site/build') await buildDevShell(join(to, DEV_SHELL_FOLDER));
    for (const path of Object.values((manifest as { bin?: Record<string, string> }).bin ?? {}))
      await chmod(join(to, path), 0o755);
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
