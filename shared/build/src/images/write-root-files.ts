import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShellConfig } from '@site/contract';
import { shortHash } from '../hash.ts';
import { drawCard } from './card.ts';
import { drawIcons } from './icons.ts';
import { createRasteriser } from './rasterise.ts';

export async function writeRootFiles(appFolder: string, config: ShellConfig, folder: string): Promise<void> {
  const rasteriser = await createRasteriser();
  const icon = await readFile(join(appFolder, config.icon), 'utf8');
  const files: Record<string, Buffer> = {
    ...drawIcons(icon, rasteriser),
    'card.png': drawCard({ text: config.card, path: '/' }, rasteriser),
    ...Object.fromEntries(Object.entries(config.rootFiles).map(([name, text]) => [name, Buffer.from(text)])),
  };
  await mkdir(join(folder, 'root'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    const dot = name.lastIndexOf('.');
    const hashed = `${name.slice(0, dot)}.${shortHash(bytes)}${name.slice(dot)}`;
    await writeFile(join(folder, 'root', hashed), bytes);
  }
}
