import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageConfig } from '@site/contract';
import { shortHash } from '../hash.ts';
import { drawCard } from './card.ts';
import { createRasteriser } from './rasterise.ts';

export async function writeCards(pages: readonly PageConfig[], folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (!pages.some(({ card }) => card)) return files;
  const rasteriser = await createRasteriser();
  await mkdir(join(folder, 'cards'), { recursive: true });
  for (const { path, card } of pages) {
    if (!card) continue;
    const png = drawCard({ text: card, path }, rasteriser);
    const file = `cards/${path.slice(1).replaceAll('/', '-')}.${shortHash(png)}.png`;
    await writeFile(join(folder, file), png);
    files.set(path, file);
  }
  return files;
}
