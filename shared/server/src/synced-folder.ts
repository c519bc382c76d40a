import { closeSync, fsyncSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The used part of PGlite's open file. `nfd`: its descriptor; folders have none. */
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
 * Adds fsync to PGlite. Its build replaces the system call with one that reports success without flushing, so
 * acknowledged writes could be lost. Measurements: `docs/decisions/0002-shared-server-and-embedded-postgresql.md`.
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

/** Without `-F`, which disables syncing; with the sync method that uses the file system above. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

export function openSynced(folder: string): Promise<PGlite> {
  return PGlite.create({ fs: new SyncedNodeFS(folder), startParams });
}

export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(folder);
}

/** A file or a folder with its directory entries. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
