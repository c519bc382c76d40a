import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import { SUPPORTED_BROWSERS } from './supported-browsers.ts';

const overrideBrowserslist = SUPPORTED_BROWSERS;

/**
 * Minifies stylesheets. A named preset prevents cssnano from reading configuration files in parent folders.
 * Must not merge selectors with `:is()`: `.a > *, .a > * > *` would become `.a > :is(*, * > *)`, which
 * matches fewer elements.
 */
export function cssMinimizer(): CssMinimizerPlugin {
  return new CssMinimizerPlugin({
    minimizerOptions: {
      preset: [
        'default',
        { overrideBrowserslist, minifySelectors: { overrideBrowserslist, convertToIs: false } },
      ],
    },
  });
}
