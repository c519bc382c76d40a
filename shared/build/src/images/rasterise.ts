import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { escapeText } from '@site/contract/escape-html';

const require = createRequire(import.meta.url);
const fontFiles = [
  '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
];

/** Turns drawings into pixels, with the site's own fonts and nothing of the machine, so the same everywhere. */
export interface Rasteriser {
  /** @param width in pixels; the drawing's own when left out. */
  png(svg: string, width?: number): Buffer;
  /** The width of a text in pixels, in the site's sans. */
  measure(text: string, fontSize: number): number;
}

let ready: Promise<void> | undefined;

/** Loads the rasteriser (WebAssembly: the same file on every platform) and the fonts. */
export async function createRasteriser(): Promise<Rasteriser> {
  ready ??= readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')).then(initWasm);
  await ready;
  const fontBuffers = await Promise.all(fontFiles.map((file) => readFile(require.resolve(file))));
  const font = { fontBuffers, defaultFontFamily: 'Instrument Sans' };
  const widths = new Map<string, number>();

  function measure(text: string, fontSize: number): number {
    // Measured once at a large size; text scales.
    const known = widths.get(text);
    if (known !== undefined) return known * fontSize;
    const size = 100;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text y="100" font-size="${size}">${escapeText(text)}</text></svg>`;
    const resvg = new Resvg(svg, { font });
    const box = resvg.getBBox();
    const width = (box?.width ?? 0) / size;
    box?.free();
    resvg.free();
    widths.set(text, width);
    return width * fontSize;
  }

  return {
    measure,
    png(svg, width) {
      const resvg = new Resvg(svg, {
        font,
        ...(width === undefined ? {} : { fitTo: { mode: 'width', value: width } }),
      });
      const image = resvg.render();
      const bytes = Buffer.from(image.asPng());
      image.free();
      resvg.free();
      return bytes;
    },
  };
}
