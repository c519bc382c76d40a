import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { escapeText } from '@site/contract/text';

const require = createRequire(import.meta.url);
/** The sans comes first. */
const fontFiles = [
  '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
];

/** Converts SVG to pixels with the site's fonts only, so the result is the same on every machine. */
export interface Rasteriser {
  png(svg: string, width?: number): Buffer;
  measure(text: string, fontSize: number): number;
  /** Characters that are missing in the site's sans: they would be drawn as boxes or in another font. */
  missingGlyphs(text: string): string[];
}

/** A character that no font has. */
const UNASSIGNED = '\u{10fffd}';

let ready: Promise<void> | undefined;

export async function createRasteriser(): Promise<Rasteriser> {
  ready ??= readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')).then(initWasm);
  await ready;
  const fontBuffers = await Promise.all(fontFiles.map((file) => readFile(require.resolve(file))));
  const font = { fontBuffers, defaultFontFamily: 'Instrument Sans' };
  const widths = new Map<string, number>();

  function measure(text: string, fontSize: number): number {
    // Measured once at a large size and scaled.
    const known = widths.get(text);
    if (known !== undefined) return known * fontSize;
    const size = 100;
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text y="100" ' +
      `font-size="${size}">${escapeText(text)}</text></svg>`;
    const resvg = new Resvg(svg, { font });
    const box = resvg.getBBox();
    const width = (box?.width ?? 0) / size;
    box?.free();
    resvg.free();
    widths.set(text, width);
    return width * fontSize;
  }

  const png = (svg: string, width?: number) => draw(svg, font, width);

  function draw(svg: string, fonts: typeof font, width?: number): Buffer {
    const resvg = new Resvg(svg, {
      font: fonts,
      ...(width === undefined ? {} : { fitTo: { mode: 'width', value: width } }),
    });
    const image = resvg.render();
    const bytes = Buffer.from(image.asPng());
    image.free();
    resvg.free();
    return bytes;
  }

  function missingGlyphs(text: string): string[] {
    const sans = { ...font, fontBuffers: fontBuffers.slice(0, 1) };
    const glyph = (character: string) =>
      draw(
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><text y="40" ' +
          `font-size="30">${escapeText(character)}</text></svg>`,
        sans,
      );
    const box = glyph(UNASSIGNED);
    return [...new Set(text)].filter((character) => !/[ -~]/.test(character) && glyph(character).equals(box));
  }

  return { measure, missingGlyphs, png };
}
