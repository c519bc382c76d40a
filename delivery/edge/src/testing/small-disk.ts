import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

/** Limits a folder to `mostBytes`, like a disk of that size: a file that does not fit is written partially. */
export function limitDisk(folder: string, mostBytes: number): void {
  unlimitDisk();
  const { open } = fs.promises;

  function write(file: string, bytes: Uint8Array): void {
    const free = file.startsWith(folder) ? Math.max(0, mostBytes - bytesIn(folder)) : Infinity;
    fs.writeFileSync(file, bytes.subarray(0, free));
    if (bytes.length > free) {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
  }

  jest.spyOn(fs.promises, 'writeFile').mockImplementation(async (file, bytes) => {
    await Promise.resolve();
    write(file as string, bytes as Uint8Array);
  });
  jest.spyOn(fs.promises, 'open').mockImplementation(async (file, flags) => {
    const handle = await open(file, flags);
    handle.writeFile = async (pieces) => {
      await Promise.resolve();
      write(file as string, Buffer.from([...(pieces as unknown as Iterable<string>)].join('')));
    };
    return handle;
  });
  syncBuiltinESMExports();
}

export function unlimitDisk(): void {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
}
