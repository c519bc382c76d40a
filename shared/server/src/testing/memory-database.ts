import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Database } from '../open-database.ts';
import { overPglite } from '../open-pglite.ts';

/** An embedded database for tests: empty, in memory, gone at `close`. */
export async function openMemoryDatabase(): Promise<Database> {
  return overPglite(await PGlite.create({ loadDataDir: await emptyCluster() }));
}

/**
 * An empty cluster, kept in a file: making one takes PGlite four times as long as reading one. Its name carries PGlite's
 * version, whose next one may make another.
 */
async function emptyCluster(): Promise<Blob> {
  // Jest runs from the root of the repository.
  const root = process.cwd();
  const about = createRequire(join(root, 'shared/server/package.json')).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(about, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(root, 'node_modules/.cache/site-tests');
  const file = join(folder, `pglite-${version}.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);
  const pglite = await PGlite.create();
  const cluster = await pglite.dumpDataDir('none');
  await pglite.close();
  await mkdir(folder, { recursive: true });
  // Several test files may begin at the same time: each renames a whole file, and they are alike.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await cluster.arrayBuffer()));
  await rename(unfinished, file);
  return cluster;
}
