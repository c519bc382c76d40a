import type { LoaderContext } from 'webpack';
import subsetFont from 'subset-font';
import { listLetters } from './letters.ts';

/**
 * The OpenType features that the site uses: kerning, accents, ligatures such as "fi", and tabular figures.
 * Others add unused glyphs: JetBrains Mono's arrows for "->" are more than half of its bytes.
 */
const keepFeatures = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'rlig', 'rvrn', 'liga', 'tnum'];

/**
 * Subsets a font to the letters in its URL, in the syntax of `unicode-range`
 * (`font.woff2?letters=U+20-7E,U+A9`), and to the site's weights and features.
 */
export default function lettersLoader(this: LoaderContext<object>, font: Buffer): void {
  const done = this.async();
  const ranges = this.resourceQuery.replace('?letters=', '');
  subsetFont(font, listLetters(ranges), {
    targetFormat: 'woff2',
    keepFeatures,
    variationAxes: { wght: { min: 400, max: 700 } },
  }).then((cut) => done(null, cut), done);
}

/** Loaders get text unless they request bytes. */
export const raw = true;
