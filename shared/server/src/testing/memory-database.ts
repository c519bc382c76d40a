import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../open-database.ts';

/** An empty embedded database in memory, for tests. */
export async function openMemoryDatabase(): Promise<Database> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { overPglite } = await import('../open-pglite.ts');
  const cluster = new Blob([await readFile(await emptyCluster())]);
  return overPglite(await PGlite.create({ loadDataDir: cluster }));
}

/** Copies the empty database into a new data folder, ten times faster than a service creates it. */
export async function fillDataFolder(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', await emptyCluster(), '-C', cluster]);
}

/**
 * The path of a tar file with an empty cluster: creating one takes PGlite four times as long as reading one.
 * The name contains PGlite's version, because the next one may differ.
 */
async function emptyCluster(): Promise<string> {
  // Jest runs in the root of the repository.
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
  // Concurrent test files each rename a complete file, and all are equal.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await cluster.arrayBuffer()));
  await rename(unfinished, file);
  return file;
}
