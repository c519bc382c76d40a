import { createHash } from 'node:crypto';
import { cardSize } from '@site/contract';
import { escapeAttribute } from '@site/contract/text';
import { palette } from '@site/contract/palette';
import { boxFaces, cylinderSide, disc, path, type Point } from '@site/ui/blocks/iso';
import { BuildError } from '../build-error.ts';
import type { Rasteriser } from './rasterise.ts';

export interface CardContent {
  text: string;
  /** The path printed below; also the seed of the brick stack, so every page has its own drawing. */
  path: string;
}

/** The site's colors; each face of a brick is mixed as in the stylesheet of `shared/ui`. */
const paper = palette.paper.light;
const ink = palette.ink.light;
const blueprint = {
  ground: palette.sheet.dark,
  line: '#1d3568',
  text: palette.muted.dark,
  leader: palette.rule.dark,
};
const hues = {
  signal: { top: '#ef8065', left: '#ea5430', right: '#c04729' },
  blue: { top: '#7199dd', left: '#3f74d1', right: '#3761aa' },
  sun: { top: '#ffd770', left: '#ffc93d', right: '#d0a534' },
  paper: { top: '#f8f5eb', left: '#f6f1e4', right: '#c9c4b9' },
};
type Hue = keyof typeof hues;

const textLeft = 72;
const textWidth = 580;
/** Between the brick above and the edge below. */
const textHeight = 270;
const leading = 1.06;
const panelLeft = 704;

export function drawCard(content: CardContent, rasteriser: Rasteriser): Buffer {
  const missing = rasteriser.missingGlyphs(content.text);
  if (missing.length > 0)
    throw new BuildError(
      `The card "${content.text}" of "${content.path}" cannot be drawn, because its font lacks ` +
        `${missing.map((each) => `"${each}"`).join(', ')}. Remove these characters or the card.`,
    );
  return rasteriser.png(cardSvg(content, rasteriser.measure));
}

export function cardSvg({ text, path: address }: CardContent, measure: Rasteriser['measure']): string {
  const { width, height } = cardSize;
  const { lines, fontSize } = setText(text, measure);
  const lineHeight = fontSize * leading;
  const top = height / 2 - (lineHeight * (lines.length - 1)) / 2 + fontSize * 0.33;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    blueprintPanel(width, height),
    `<g transform="translate(${panelLeft + (width - panelLeft) / 2} 330) scale(2.6)">${stack(address)}</g>`,
    `<g transform="translate(98 96) scale(1.25)">${brick([0, 0, 0], 'signal')}</g>`,
    ...lines.map(
      (line, index) =>
        `<text x="${textLeft}" y="${Math.round(top + index * lineHeight)}" font-size="${fontSize}" ` +
        `letter-spacing="${-fontSize * 0.022}" ${bold(fontSize)}>${escapeAttribute(line)}</text>`,
    ),
    `<text x="${width - 48}" y="576" text-anchor="end" font-family="JetBrains Mono" ` +
      `font-size="22" fill="${blueprint.text}">${escapeAttribute(address)}</text>`,
    '</svg>',
  ].join('');
}

/** The rasterizer supports only the regular weight of a variable font: an outline makes it bold. */
function bold(fontSize: number): string {
  return `fill="${ink}" stroke="${ink}" stroke-width="${fontSize * 0.034}" stroke-linejoin="round"`;
}

function setText(text: string, measure: Rasteriser['measure']): { lines: string[]; fontSize: number } {
  const words = text.split(/\s+/);
  for (const fontSize of [84, 76, 68, 60, 52]) {
    const space = measure('n n', fontSize) - 2 * measure('n', fontSize);
    const widths = words.map((word) => measure(word, fontSize));
    const lines = breakLines(words, widths, space, textWidth);
    if (!lines || lines.length * fontSize * leading > textHeight) continue;
    // Balances the lines, so that no word is alone on the last one.
    let best = lines;
    for (let narrower = textWidth; narrower > 0; narrower -= 10) {
      const tried = breakLines(words, widths, space, narrower);
      if (!tried || tried.length > lines.length) break;
      best = tried;
    }
    return { lines: best, fontSize };
  }
  // A single word that is too long for any size.
  return { lines: [text], fontSize: Math.floor(textWidth / measure(text, 1)) };
}

function breakLines(words: string[], widths: number[], space: number, limit: number): string[] | null {
  const lines: string[] = [];
  let room = 0;
  for (const [index, word] of words.entries()) {
    const width = widths[index] ?? 0;
    if (width > limit) return null;
    const started = width + space <= room ? lines.pop() : undefined;
    lines.push(started === undefined ? word : `${started} ${word}`);
    room = started === undefined ? limit - width : room - width - space;
  }
  return lines;
}

function blueprintPanel(width: number, height: number): string {
  const step = 31;
  const columns = Array.from(
    { length: Math.ceil((width - panelLeft) / step) },
    (_, index) => `M${panelLeft + index * step} 0v${height}`,
  );
  const rows = Array.from(
    { length: Math.ceil(height / step) },
    (_, index) => `M${panelLeft} ${index * step}h${width - panelLeft}`,
  );
  return (
    `<rect x="${panelLeft}" width="${width - panelLeft}" height="${height}" fill="${blueprint.ground}"/>` +
    `<path d="${[...columns, ...rows].join('')}" stroke="${blueprint.line}" fill="none"/>`
  );
}

const side = 3;
const level = 0.8;
const lifted = 1.5;

/** Bricks on a plate, one of them lifted off the highest tower, as in an assembly drawing. */
function stack(address: string): string {
  const random = [...createHash('sha256').update(address).digest()];
  const names = Object.keys(hues) as Hue[];
  const cells = Array.from({ length: side * side }, (_, index) => ({
    x: index % side,
    y: Math.floor(index / side),
    // The back corner is the highest, so that it hides nothing.
    count: Math.max(0, ((random[index] ?? 0) % 4) - (index % side) - Math.floor(index / side) + 1),
    hue: (random[index + 9] ?? 0) % names.length,
  }));
  const highest = cells.reduce((a, b) => (b.count > a.count ? b : a));
  const drawn = [
    slab([-0.2, -0.2, -0.3], [side + 0.4, side + 0.4, 0.3], hues.paper),
    ...[...cells]
      .sort((a, b) => a.x + a.y - (b.x + b.y))
      .flatMap(({ x, y, count, hue }) =>
        count === 0
          ? [stud([x + 0.5, y + 0.5, 0], hues.paper)]
          : Array.from({ length: count }, (_, floor) =>
              brick([x, y, floor * level], names[(hue + floor) % names.length] as Hue),
            ),
      ),
  ];
  const { x, y, count, hue } = highest;
  const foot = count * level;
  const line = path([[x + 0.5, y + 0.5, foot + 0.3], [x + 0.5, y + 0.5, foot + lifted]], true); // prettier-ignore
  return [
    ...drawn,
    `<path d="${line}" stroke="${blueprint.leader}" stroke-width="1.2" stroke-dasharray="4 4" fill="none"/>`,
    brick([x, y, foot + lifted], names[(hue + count) % names.length] as Hue),
  ].join('');
}

function brick([x, y, z]: Point, hue: Hue): string {
  return slab([x, y, z], [1, 1, level], hues[hue]) + stud([x + 0.5, y + 0.5, z + level], hues[hue]);
}

type Faces = (typeof hues)[Hue];
const outline = `stroke="${ink}" stroke-width="1.4" stroke-linejoin="round"`;

function slab(at: Point, size: Point, colors: Faces): string {
  const faces = boxFaces(at, size);
  return (['left', 'right', 'top'] as const)
    .map((face) => `<path d="${faces[face]}" fill="${colors[face]}" ${outline}/>`)
    .join('');
}

function stud([x, y, z]: Point, colors: Faces): string {
  return (
    `<path d="${cylinderSide([x, y, z], 0.3, 0.2)}" fill="${colors.left}" ${outline}/>` +
    `<path d="${disc([x, y, z + 0.2], 0.3)}" fill="${colors.top}" ${outline}/>`
  );
}
