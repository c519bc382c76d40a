import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Art, UndrawnArt } from '@site/ui/art';
import type { LabelProps } from '@site/ui/label-text';
import { shortHash } from '../hash.ts';
import { runModule } from './run-module.ts';

const coloursPath = createRequire(import.meta.url).resolve('@site/ui/drawing.css');

export interface DrawnModule {
  code: string;
  /** File name → SVG. */
  files: Map<string, string>;
}

/**
 * Draws an art module: runs it, and converts each exported drawing to a file and data.
 * @param path of the module.
 * @param publicPath the files' base URL, as JavaScript.
 * @param onSource gets each source file, also on failure.
 * @throws Error that names the module, if it fails or exports anything but drawings.
 */
export function drawModule(
  path: string,
  publicPath: string,
  onSource: (file: string) => void = () => undefined,
): DrawnModule {
  onSource(coloursPath);
  const exports = runModule(path, onSource);
  const colours = readColours();
  const files = new Map<string, string>();

  function write(value: unknown, name: string): string {
    if (isUndrawn(value)) {
      const { svg, ...data } = draw(value, colours);
      const file = `${kebab(name)}.${shortHash(svg)}.svg`;
      files.set(file, svg);
      return `{src:${publicPath}+${JSON.stringify(file)},${JSON.stringify(data).slice(1)}`;
    }
    if (Array.isArray(value))
      return `[${value.map((each, index) => write(each, `${name}-${index + 1}`)).join(',')}]`;
    if (typeof value === 'object' && value !== null)
      return `{${Object.entries(value)
        .map(([key, each]) => `${JSON.stringify(key)}:${write(each, `${name}-${key}`)}`)
        .join(',')}}`;
    throw new Error(
      `${basename(path)} exports ${typeof value} as ${name}. Export art(<Drawing …>), or a list or record of them.`,
    );
  }

  const code = Object.entries(exports).map(([name, value]) => `export const ${name}=${write(value, name)};`);
  return { code: code.join('\n'), files };
}

function isUndrawn(value: unknown): value is UndrawnArt {
  return typeof value === 'object' && value !== null && 'drawing' in value;
}

function draw(
  { width, height, title, viewBox, drawing }: UndrawnArt,
  colours: string,
): Omit<Art, 'src'> & { svg: string } {
  const texts: LabelProps[] = [];
  const markup = renderToStaticMarkup(drawing(texts));
  const svg = markup.replace('>', `><style>${usedColours(colours, markup)}</style>`);
  return {
    width,
    height,
    ...(title === undefined ? {} : { title }),
    ...(texts.length > 0 ? { labels: { viewBox, texts } } : {}),
    svg,
  };
}

function readColours(): string {
  return readFileSync(coloursPath, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};:,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}

function usedColours(css: string, markup: string): string {
  return css.replace(/([^{}]+)\{([^{}]*)\}/g, (_rule, selector: string, body: string) => {
    const [hue = ''] = /hue-\w*/.exec(selector) ?? [];
    const used = body.split(';').filter((line) => {
      const [name = ''] = line.split(':');
      return !name.startsWith('--') || `${markup}${css}`.includes(`var(${name})`);
    });
    return markup.includes(hue) ? `${selector}{${used.join(';')}}` : '';
  });
}

function kebab(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}
