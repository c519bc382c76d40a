import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import federation from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Configuration } from 'webpack';
import type { RemoteConfig } from '@site/contract';
import { containerName } from '@site/contract/container-name';
import { moduleKey } from '@site/contract/module-key';
import { REMOTE_ENTRY } from '@site/contract/remote-entry';
import { AppConfigError, type App } from './app.ts';
import { devAliases, devCache, devModules, DEV_SHELL_POLICY } from './dev-config.ts';
import { cssMinimizer } from './css-minimizer.ts';
import { ChunkIntegrityPlugin } from './chunk-integrity-plugin.ts';
import { ownModule } from './own-module.ts';
import { sharedModules } from './shared-modules.ts';
import { sourceMapPlugin } from './source-maps.ts';
import { JoinLayersPlugin } from './join-layers-plugin.ts';
import { StableNamesPlugin } from './stable-names-plugin.ts';
import { browserRules, serverRules, type Compiled } from './webpack-rules.ts';

/** How an app is built: `production` for publishing, `development` for the dev server. */
export type BuildMode = 'production' | 'development';

/**
 * The one webpack configuration of the shell and of every remote.
 *
 * @returns the browser build (federation container or host) and the server build (the same pages as one CommonJS file,
 * for rendering ahead of time).
 */
export function createWebpackConfigs(
  app: App,
  mode: BuildMode,
  outputFolder: string,
): { browser: Configuration; server: Configuration } {
  return { browser: browserConfig(app, mode, outputFolder), server: serverConfig(app, mode, outputFolder) };
}

/** `StableNamesPlugin` gives them. */
const idsByPlugin = { moduleIds: false, chunkIds: false } as const;

function browserConfig(app: App, mode: BuildMode, outputFolder: string): Configuration {
  const production = mode === 'production';
  return {
    ...baseConfig(app, mode, ['es2015', '...'], production ? (app.shell ? plainReact() : {}) : devAliases),
    name: app.name,
    target: ['web', 'es2022'],
    // React looks for what exchanges its components when it starts.
    // The styles that say in which order the cascade layers come, before all others: webpack lists what `import()` brings first.
    entry: app.remote
      ? {}
      : { main: [...(production ? [] : [devModules.refresh]), '@site/ui/base.css', './src/main.tsx'] },
    devtool: production ? false : 'source-map',
    ...(production ? {} : { cache: devCache(app) }),
    output: {
      path: join(outputFolder, 'browser'),
      publicPath: `/assets/${app.name}/`,
      uniqueName: app.name,
      // The federation runtime breaks when the entry's own name has a content hash: the entry is renamed when packed.
      filename: '[name].js',
      chunkFilename: production ? '[name].[contenthash:12].js' : '[name].js',
      assetModuleFilename: '[name].[contenthash:12][ext]',
      crossOriginLoading: 'anonymous',
      // Webpack's own patience is two minutes: the visitor would look at nothing before the last good version comes.
      chunkLoadTimeout: 10_000,
      hashFunction: 'sha256',
      clean: true,
      environment: { globalThis: true },
      // The shell's own policy knows the scripts of a release, and not those that come with a change.
      ...(production || !app.shell ? {} : { trustedTypes: DEV_SHELL_POLICY }),
    },
    module: { rules: browserRules(app, !production) },
    plugins: [
      new StableNamesPlugin(),
      ...(app.remote
        ? containerPlugins(app, app.remote)
        : [new webpack.DefinePlugin({ SHARED_VERSIONS: JSON.stringify(app.sharedVersions) })]),
      new MiniCssExtractPlugin({
        // Order across modules decides nothing: components stand in a cascade layer below the pages' own styles.
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

/** Chunks that pages share: a page cannot have their names. */
const SHARED_CHUNKS = ['common', 'styles'] as const;
const [COMMON, STYLES] = SHARED_CHUNKS;

/** Whether all pages get the chunk's styles. Those of a part that comes later (`@site/ui/later`) are for its page alone. */
const isOfPages = ({ name }: { name?: string | null }) => !name?.startsWith('later-');

/**
 * A remote has one stylesheet, one chunk for what at least half of its pages use, and one chunk a page: few files, because each
 * costs its entry 100 bytes (name and integrity), and because pages of one remote look alike.
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

/**
 * React's own files, where its packages choose between two at run time: webpack sees which exports nobody uses only in a file
 * that it need not choose.
 */
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
      // rxjs has a build for today's browsers under `es2015`; what it gives by default is made for those of 2015.
      conditionNames,
      alias,
    },
    performance: { hints: false },
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'warn' },
  } satisfies Configuration;
}

/**
 * Makes a remote a standard federation container. The shell needs no plugin: it gives its own modules away and calls `init`
 * and `get` itself (`shell/src/pages/remote-loader.ts`).
 */
function containerPlugins(app: App, { pages }: RemoteConfig): webpack.WebpackPluginInstance[] {
  for (const { page } of pages)
    if (SHARED_CHUNKS.some((name) => moduleKey(page) === `./${name}`))
      throw new AppConfigError(
        `${app.name}: the page "${page}" has the name of a file that all pages share. Rename it, for example to "${moduleKey(page)}-page.tsx".`,
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

/** Where `writeServerEntry` puts a remote's server entry. */
const serverEntryPath = './node_modules/.site/server-entry.cjs';

/**
 * Writes the one module that exports each page component under its module key, so that a remote needs no hand-written
 * server file. A real file, because ids of modules (and so the version id) are derived from names of files.
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
