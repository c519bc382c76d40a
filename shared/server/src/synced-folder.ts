import { closeSync, fsyncSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** As much as is used here of a file that the database has open. `nfd`: its descriptor; folders have none. */
interface Stream {
  node: object;
  nfd?: number;
}
interface NodeFilesystem {
  stream_ops: { fsync?: (stream: Stream) => number };
  realPath(node: object): string;
}
type EmscriptenOptions = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];

/**
 * PGlite writes what it acknowledges to its files, but its build leaves the system call out that brings files to the disk:
 * the database asks for it, and is told that it was done. This does it.
 * `docs/decisions/0002-shared-server-and-embedded-postgresql.md` says what was measured.
 */
class SyncedNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Partial<EmscriptenOptions>) {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      (module: unknown) => {
        const { NODEFS } = module as { NODEFS: NodeFilesystem };
        NODEFS.stream_ops.fsync = ({ node, nfd }) => {
          if (nfd === undefined) syncPath(NODEFS.realPath(node));
          else fsyncSync(nfd);
          return 0;
        };
      },
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } as EmscriptenOptions };
  }
}

/** Without `-F`, which turns syncing off; with the sync method that goes through the file system above. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/** Opens the database in a folder. What it acknowledges is on the disk, as far as the disk tells the truth. */
export function openSynced(folder: string): Promise<PGlite> {
  return PGlite.create({ fs: new SyncedNodeFS(folder), startParams });
}

/** Brings a folder with everything in it to the disk: of a new database not all was ever asked for. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(folder);
}

/** A file or a folder, with the names in it. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
