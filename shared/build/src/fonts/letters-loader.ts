import type { LoaderContext } from 'webpack';
import subsetFont from 'subset-font';
import { lettersOf } from './letters.ts';

/**
 * The OpenType features that the site uses: kerning, accents, ligatures such as "fi", and figures of equal width. Others bring glyphs
 * that nobody sees: the arrows that JetBrains Mono makes of "->" are more than half of its bytes.
 */
const keepFeatures = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'rlig', 'rvrn', 'liga', 'tnum'];

/**
 * Cuts a font to the letters that its address names, as `unicode-range` would write them (`font.woff2?letters=U+20-7E,U+A9`),
 * and to the weights and features that the site has.
 */
export default function lettersLoader(this: LoaderContext<object>, font: Buffer): void {
  const done = this.async();
  const ranges = this.resourceQuery.replace('?letters=', '');
  subsetFont(font, lettersOf(ranges), {
    targetFormat: 'woff2',
    keepFeatures,
    variationAxes: { wght: { min: 400, max: 700 } },
  }).then((cut) => done(null, cut), done);
}

/** Loaders get text unless they ask for bytes. */
export const raw = true;
