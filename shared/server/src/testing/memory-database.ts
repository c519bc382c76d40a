import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../open-database.ts';

/** An embedded database for tests: empty, in memory, gone at `close`. */
export async function openMemoryDatabase(): Promise<Database> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { overPglite } = await import('../open-pglite.ts');
  const cluster = new Blob([await readFile(await emptyCluster())]);
  return overPglite(await PGlite.create({ loadDataDir: cluster }));
}

/** Puts the empty database into a data folder that is new, where a service would make it in ten times as long. */
export async function fillDataFolder(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', await emptyCluster(), '-C', cluster]);
}

/**
 * An empty cluster, kept in a tar file whose path this is: making one takes PGlite four times as long as reading one.
 * Its name carries PGlite's version, whose next one may make another.
 */
async function emptyCluster(): Promise<string> {
  // Jest runs from the root of the repository.
  const root = process.cwd();
  const about = createRequire(join(root, 'shared/server/package.json')).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(about, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(root, 'node_modules/.cache/site-tests');
  const file = join(folder, `pglite-${version}.tar`);
  const isKept = await access(file).then(
    () => true,
    () => false,
  );
  if (isKept) return file;
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create();
  const cluster = await pglite.dumpDataDir('none');
  await pglite.close();
  await mkdir(folder, { recursive: true });
  // Several test files may begin at the same time: each renames a whole file, and they are alike.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await cluster.arrayBuffer()));
  await rename(unfinished, file);
  return file;
}
