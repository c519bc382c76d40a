import { palette } from '@site/contract/palette';
import type { Rasteriser } from './rasterise.ts';

const paper = palette.paper.light;

/**
 * All icon files at the root of the site, from one drawing.
 * @see https://evilmartians.com/chronicles/how-to-favicon-in-2021-six-files-that-fit-most-needs
 */
export function drawIcons(svg: string, rasteriser: Pick<Rasteriser, 'png'>): Record<string, Buffer> {
  const bare = framed(svg, 0);
  return {
    'favicon.ico': ico([16, 32, 48].map((size) => ({ size, png: rasteriser.png(bare, size) }))),
    // Systems crop these two, so they have a margin and a background.
    'apple-touch-icon.png': rasteriser.png(framed(svg, 9, paper), 180),
    'icon-maskable-512.png': rasteriser.png(framed(svg, 16, paper), 512),
    'icon-192.png': rasteriser.png(bare, 192),
    'icon-512.png': rasteriser.png(bare, 512),
  };
}

function framed(svg: string, margin: number, background?: string): string {
  const size = 100 - 2 * margin;
  const placed = svg.replace('<svg ', `<svg x="${margin}" y="${margin}" width="${size}" height="${size}" `);
  const ground = background ? `<rect width="100" height="100" fill="${background}"/>` : '';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 ' +
    `100">${ground}${placed}</svg>`
  );
}

/** An ICO file of PNG images. @see https://en.wikipedia.org/wiki/ICO_(file_format) */
export function ico(images: { size: number; png: Buffer }[]): Buffer {
  const headSize = 6;
  const entrySize = 16;
  const head = Buffer.alloc(headSize);
  head.writeUInt16LE(1, 2); // an icon, not a cursor
  head.writeUInt16LE(images.length, 4);
  let offset = headSize + entrySize * images.length;
  const entries = images.map(({ size, png }) => {
    const entry = Buffer.alloc(entrySize);
    entry.writeUInt8(size, 0);
    entry.writeUInt8(size, 1);
    entry.writeUInt16LE(1, 4); // planes
    entry.writeUInt16LE(32, 6); // bits per pixel
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...images.map(({ png }) => png)]);
}
