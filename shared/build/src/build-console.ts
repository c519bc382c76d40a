import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration, Stats } from 'webpack';
import { CONSOLE_PATH } from '@site/contract/registry-calls/session.calls';
import { compile } from './build-app.ts';
import { cssMinimizer } from './css-minimizer.ts';
import { replaceFolder } from './finish-build.ts';
import { inputsHash, markBuilt } from './stale.ts';
import { baseConfig, plainReact } from './webpack-config.ts';
import { browserRules, type Compiled } from './webpack-rules.ts';

const PLACE = '<!-- files -->';

/**
 * Builds the console in `folder` into its `dist`: `index.html`, and files with hashed names, which the
 * registry serves below `/console`.
 * @returns its name and the hash of its entry.
 * @throws BuildError if it does not compile.
 */
export async function buildConsole(folder: string): Promise<string> {
  const inputs = await inputsHash(folder);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const app: Compiled = { name: 'console', folder, packageVersion: version };
  // Built in a temporary folder and moved, so that concurrent readers and builds never see a partial build.
  const aside = join(folder, `dist.${process.pid}`);
  try {
    const files = entryFiles(await compile(app, consoleConfig(app, aside)));
    const document = await readFile(join(folder, 'src/index.html'), 'utf8');
    await writeFile(join(aside, 'index.html'), document.replace(PLACE, files.map(tag).join('\n    ')));
    await markBuilt(aside, inputs);
    await replaceFolder(aside, join(folder, 'dist'));
    return `console@${version} (${files.find((file) => file.endsWith('.js')) ?? 'nothing'})`;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function entryFiles(stats: Stats): string[] {
  return [...(stats.compilation.entrypoints.get('main')?.getFiles() ?? [])];
}

/** Nothing inline: the CSP allows only the registry's files. */
function tag(file: string): string {
  const address = `${CONSOLE_PATH}/${file}`;
  return file.endsWith('.css')
    ? `<link rel="stylesheet" href="${address}" />`
    : `<script src="${address}" defer></script>`;
}

function consoleConfig(app: Compiled, outputFolder: string): Configuration {
  return {
    ...baseConfig(app, 'production', ['es2015', '...'], plainReact()),
    name: app.name,
    target: ['web', 'es2022'],
    entry: { main: './src/main.tsx' },
    devtool: false,
    output: {
      path: outputFolder,
      publicPath: `${CONSOLE_PATH}/`,
      uniqueName: app.name,
      filename: '[name].[contenthash:12].js',
      assetModuleFilename: '[name].[contenthash:12][ext]',
      // The policy in the CSP: only webpack makes URLs of chunks.
      trustedTypes: { policyName: 'console' },
      hashFunction: 'sha256',
      clean: true,
    },
    module: { rules: browserRules(app) },
    plugins: [new MiniCssExtractPlugin({ ignoreOrder: true, filename: '[name].[contenthash:12].css' })],
    optimization: { splitChunks: false, minimizer: ['...', cssMinimizer()] },
  };
}
