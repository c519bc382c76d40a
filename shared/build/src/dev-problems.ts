import webpack, { type Compiler, type Configuration } from 'webpack';
import { ownModule } from './own-module.ts';

export interface ProblemBuild {
  script: string;
  config: Configuration;
  /** Replaces the shown problems. */
  show(problems: readonly string[]): void;
}

const FOLDER = '/__dev/';

export function createProblemBuild(): ProblemBuild {
  let shown: readonly string[] = [];
  let builder: Compiler | undefined;
  return {
    script: `${FOLDER}page.js`,
    config: {
      name: 'page',
      context: import.meta.dirname,
      mode: 'development',
      target: ['web', 'es2022'],
      devtool: false,
      entry: { page: ownModule('dev-page') },
      output: { path: '/', publicPath: FOLDER, filename: '[name].js', uniqueName: 'page' },
      module: { rules: [{ test: /\.ts$/, loader: ownModule('dev-tsx-loader'), options: { app: 'page' } }] },
      stats: 'errors-warnings',
      infrastructureLogging: { level: 'warn' },
      plugins: [
        (compiler: Compiler) => {
          builder = compiler;
          compiler.hooks.afterCompile.tap('problems', ({ errors }) => {
            for (const problem of shown) errors.push(asWritten(problem));
          });
        },
      ],
    },
    show(problems) {
      if (problems.join('\n') === shown.join('\n')) return;
      shown = problems;
      builder?.watching?.invalidate();
    },
  };
}

function asWritten(text: string): webpack.WebpackError {
  const error = new webpack.WebpackError(text);
  delete error.stack;
  return error;
}
