import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import federation from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Configuration } from 'webpack';
import type { RemoteConfig } from '@site/contract';
import { containerName, moduleKey, REMOTE_ENTRY } from '@site/contract/remote-container';
import { AppConfigError, type App } from './app.ts';
import { devAliases, devCache, devModules, DEV_SHELL_POLICY } from './dev-config.ts';
import { cssMinimizer } from './css-minimizer.ts';
import { ChunkIntegrityPlugin } from './chunk-integrity-plugin.ts';
import { IsolationPlugin } from './isolation-plugin.ts';
import { ownModule } from './own-module.ts';
import { sharedModules } from './shared-modules.ts';
import { sourceMapPlugin } from './source-maps.ts';
import { JoinLayersPlugin } from './join-layers-plugin.ts';
import { StableNamesPlugin } from './stable-names-plugin.ts';
import { browserRules, serverRules, type Compiled } from './webpack-rules.ts';

export type BuildMode = 'production' | 'development';

/**
 * The webpack configuration of the shell and of every remote.
 * @returns the browser build (federation container or host) and the server build (the same pages as one
 * CommonJS file, for prerendering).
 */
export function createWebpackConfigs(
  app: App,
  mode: BuildMode,
  outputFolder: string,
): { browser: Configuration; server: Configuration } {
  return { browser: browserConfig(app, mode, outputFolder), server: serverConfig(app, mode, outputFolder) };
}

/** `StableNamesPlugin` assigns them. */
const idsByPlugin = { moduleIds: false, chunkIds: false } as const;

function browserConfig(app: App, mode: BuildMode, outputFolder: string): Configuration {
  const production = mode === 'production';
  return {
    ...baseConfig(app, mode, ['es2015', '...'], production ? (app.shell ? plainReact() : {}) : devAliases),
    name: app.name,
    target: ['web', 'es2022'],
    // The refresh runtime must precede React. The styles that define the order of cascade layers must precede
    // all others: webpack lists `import()`ed ones first.
    entry: app.remote
      ? {}
      : { main: [...(production ? [] : [devModules.refresh]), '@site/ui/base.css', './src/main.tsx'] },
    devtool: production ? false : 'source-map',
    ...(production ? {} : { cache: devCache(app) }),
    output: {
      path: join(outputFolder, 'browser'),
      publicPath: `/assets/${app.name}/`,
      uniqueName: app.name,
      // The federation runtime breaks if the entry's name has a content hash: the entry is renamed later.
      filename: '[name].js',
      chunkFilename: production ? '[name].[contenthash:12].js' : '[name].js',
      assetModuleFilename: '[name].[contenthash:12][ext]',
      crossOriginLoading: 'anonymous',
      // Webpack's default is two minutes: visitors would wait that long for the fallback version.
      chunkLoadTimeout: 10_000,
      hashFunction: 'sha256',
      clean: true,
      environment: { globalThis: true },
      // The shell's production policy allows only a release's scripts, not hot updates.
      ...(production || !app.shell ? {} : { trustedTypes: DEV_SHELL_POLICY }),
    },
    module: { rules: browserRules(app, !production) },
    plugins: [
      new StableNamesPlugin(),
      ...(app.remote
        ? [...containerPlugins(app, app.remote), new IsolationPlugin(app)]
        : [new webpack.DefinePlugin({ SHARED_VERSIONS: JSON.stringify(app.sharedVersions) }), eagerEntry()]),
      new MiniCssExtractPlugin({
        // The order across modules does not matter: components are in a lower cascade layer than pages'
        // styles.
        ignoreOrder: true,
        filename: production ? '[name].[contenthash:12].css' : '[name].css',
        chunkFilename: production ? '[name].[contenthash:12].css' : '[name].css',
      }),
      ...(production
        ? [
            new JoinLayersPlugin(),
            new ChunkIntegrityPlugin(`/assets/${app.name}/`),
            sourceMapPlugin(app.folder),
          ]
        : []),
    ],
    optimization: {
      ...idsByPlugin,
      minimize: production,
      minimizer: ['...', cssMinimizer()],
      splitChunks: app.remote ? remoteChunks(app.remote.pages.length) : false,
    },
  };
}

/**
 * Chromium compiles the entry's functions in the background during the download, instead of one by one on the main
 * thread. After minimizing, which removes comments, and before the source map.
 */
function eagerEntry(): webpack.BannerPlugin {
  return new webpack.BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    test: /\.js$/,
    raw: true,
    entryOnly: true,
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
  });
}

/** Names of shared chunks, which pages cannot use. */
const SHARED_CHUNKS = ['common', 'styles'] as const;
const [COMMON, STYLES] = SHARED_CHUNKS;

/**
 * Whether all pages get the chunk's styles. Lazily loaded parts (`@site/ui/later`) are only for their own
 * page.
 */
const isOfPages = ({ name }: { name?: string | null }) => !name?.startsWith('later-');

/**
 * A remote has one stylesheet, one chunk for modules used by at least half of its pages, and one chunk per
 * page: few files, because each adds 100 bytes to its entry (name and integrity), and pages of one remote are
 * similar.
 */
function remoteChunks(pages: number): NonNullable<Configuration['optimization']>['splitChunks'] & object {
  const common = {
    test: /\.[tj]sx?$/,
    name: COMMON,
    chunks: 'async',
    minChunks: Math.max(2, Math.ceil(pages / 2)),
    minSize: 4_000,
    enforceSizeThreshold: 4_000,
  } as const;
  return {
    cacheGroups: {
      default: false,
      defaultVendors: false,
      styles: { type: 'css/mini-extract', name: STYLES, chunks: isOfPages, enforce: true },
      ...(pages > 1 ? { common } : {}),
    },
  };
}

function serverConfig(app: App, mode: BuildMode, outputFolder: string): Configuration {
  return {
    ...baseConfig(app, mode),
    name: `${app.name}:server`,
    target: 'node26',
    entry: { server: app.remote ? serverEntryPath : './src/server.tsx' },
    devtool: false,
    output: {
      path: join(outputFolder, 'server'),
      publicPath: `/assets/${app.name}/`,
      filename: 'server.js',
      assetModuleFilename: '[name].[contenthash:12][ext]',
      hashFunction: 'sha256',
      library: { type: 'commonjs2' },
      clean: true,
    },
    externals: app.remote ? serverExternals : {},
    module: { rules: serverRules(app) },
    plugins: [new StableNamesPlugin(), new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { ...idsByPlugin, minimize: false },
  };
}

const serverExternals = Object.fromEntries(
  sharedModules.map(({ request }) => [request, `commonjs ${request}`]),
);

/** Bypasses React's run-time choice between two builds: webpack can drop unused exports only without it. */
export function plainReact(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const file = (request: string, path: string) => [
    `${request}$`,
    join(
      dirname(require.resolve(`${request.split('/')[0] ?? ''}/package.json`)),
      `cjs/${path}.production.js`,
    ),
  ];
  return Object.fromEntries([
    file('react', 'react'),
    file('react/jsx-runtime', 'react-jsx-runtime'),
    file('react-dom', 'react-dom'),
    file('react-dom/client', 'react-dom-client'),
  ]) as Record<string, string>;
}

export function baseConfig(
  app: Compiled,
  mode: BuildMode,
  conditionNames: string[] = ['...'],
  alias: Record<string, string> = {},
) {
  return {
    context: app.folder,
    mode,
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // rxjs has a modern build under `es2015`; its default one is for browsers of 2015.
      conditionNames,
      alias,
    },
    performance: { hints: false },
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'warn' },
  } satisfies Configuration;
}

/**
 * Makes a remote a standard federation container. The shell needs no plugin: it provides its modules and
 * calls `init` and `get` itself (`shell/src/pages/remote-loader.ts`).
 */
function containerPlugins(app: App, { pages }: RemoteConfig): webpack.WebpackPluginInstance[] {
  for (const { page } of pages)
    if (SHARED_CHUNKS.some((name) => moduleKey(page) === `./${name}`))
      throw new AppConfigError(
        `${app.name}: the page "${page}" has the name of a shared file. Rename it, for example to ` +
          `"${moduleKey(page)}-page.tsx".`,
      );
  return [
    new federation.ModuleFederationPlugin({
      name: containerName(app.name),
      filename: REMOTE_ENTRY,
      exposes: Object.fromEntries(
        pages.map(({ page }) => [moduleKey(page), { import: page, name: moduleKey(page).slice(2) }]),
      ),
      shared: Object.fromEntries(
        sharedModules.map(({ request, package: name }) => [
          request,
          { singleton: true, import: false, requiredVersion: app.sharedVersions[name] as string },
        ]),
      ),
      manifest: false,
      dts: false,
      dev: false,
      experiments: { optimization: { disableSnapshot: true, target: 'web' } },
    }),
    new webpack.NormalModuleReplacementPlugin(
      /webpack-bundler-runtime[\\/]dist[\\/]bundler\.js$/,
      ownModule('container-runtime'),
    ),
  ];
}

const serverEntryPath = './node_modules/.site/server-entry.cjs';

/**
 * Generates the module that exports each page component under its module key, so that a remote needs no
 * server file. A real file, because module ids (and so the version id) are derived from file names.
 */
export async function writeServerEntry(app: App): Promise<void> {
  if (!app.remote) return;
  const exported = app.remote.pages.map(
    ({ page }) =>
      `  ${JSON.stringify(moduleKey(page))}: require(${JSON.stringify(`../../${page.slice(2)}`)}).default,`,
  );
  const path = join(app.folder, serverEntryPath);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, ['module.exports = {', ...exported, '};', ''].join('\n'));
}
