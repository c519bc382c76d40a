import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SampleVersion } from './sample-apps.ts';

/** Writes `<app>/dist` into the checkout, like `npm run build -w <app>`. */
export async function writeBuild(checkout: string, { manifest, files }: SampleVersion): Promise<void> {
  const dist = join(checkout, manifest.app, 'dist');
  const fileBytes = new Map(files.map(({ integrity, bytes }) => [integrity, bytes]));
  const write = async (path: string, integrity: string) => {
    await mkdir(dirname(join(dist, path)), { recursive: true });
    await writeFile(join(dist, path), fileBytes.get(integrity) ?? '');
  };
  for (const { path, integrity } of manifest.assets) await write(`browser/${path}`, integrity);
  await write(`server/${manifest.server.path}`, manifest.server.integrity);
  const { sourceMaps } = manifest;
  if (sourceMaps) await write(sourceMaps.path, sourceMaps.integrity);
  await writeFile(join(dist, 'version.json'), JSON.stringify(manifest));
}
