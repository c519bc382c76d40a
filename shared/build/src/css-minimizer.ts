import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import { SUPPORTED_BROWSERS } from './supported-browsers.ts';

/** Minifies stylesheets. A named preset keeps cssnano from looking for a configuration file in parent folders. */
export function cssMinimizer(): CssMinimizerPlugin {
  return new CssMinimizerPlugin({
    minimizerOptions: { preset: ['default', { overrideBrowserslist: SUPPORTED_BROWSERS }] },
  });
}
