import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import { SUPPORTED_BROWSERS } from './supported-browsers.ts';

const overrideBrowserslist = SUPPORTED_BROWSERS;

/**
 * Minifies stylesheets. A named preset keeps cssnano from looking for a configuration file in parent folders. It must not fold
 * selectors into `:is()`: it folds `.a > *, .a > * > *` into `.a > :is(*, * > *)`, which matches less.
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
