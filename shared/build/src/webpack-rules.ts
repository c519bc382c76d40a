import { join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { RuleSetRule } from 'webpack';
import type { App } from './app.ts';

/** What of an app decides how its modules are compiled. */
export type Compiled = Pick<App, 'name' | 'folder' | 'packageVersion'>;

/** What becomes of each kind of file in a browser build. */
export function browserRules(app: Compiled): RuleSetRule[] {
  return [
    typescriptRule(app, { sourceMap: true }),
    artRule('browser'),
    routerRule,
    cssRule(app, 'browser'),
    assetRule,
    lettersRule,
    ...staticFileRules,
  ];
}

/** The same in a server build: one file, which names the others. */
export function serverRules(app: Compiled): RuleSetRule[] {
  return [
    typescriptRule(app),
    artRule('server'),
    cssRule(app, 'server'),
    { ...assetRule, generator: { emit: false } },
  ];
}

/** Modules that become files: `shared/ui/src/art.tsx`. */
const artModule = /\.art\.tsx$/;

function artRule(side: 'browser' | 'server'): RuleSetRule {
  return {
    test: artModule,
    loader: join(import.meta.dirname, 'drawings/art-loader.ts'),
    options: { emit: side === 'browser' },
  };
}

function typescriptRule(app: Compiled, more: { sourceMap?: boolean } = {}): RuleSetRule {
  return {
    test: /\.tsx?$/,
    exclude: [/node_modules/, artModule],
    loader: 'ts-loader',
    options: {
      // Types are checked once for the whole repository by `npm run lint`.
      transpileOnly: true,
      configFile: join(import.meta.dirname, '../../../tsconfig.base.json'),
      instance: app.name,
      compilerOptions: {
        noEmit: false,
        allowImportingTsExtensions: false,
        module: 'ESNext',
        moduleResolution: 'bundler',
        target: 'ES2022',
        ...more,
      },
    },
  };
}

const routerRule: RuleSetRule = {
  test: /[\\/]react-router[\\/]dist[\\/].*\.mjs$/,
  loader: join(import.meta.dirname, 'pure-components-loader.ts'),
};

function cssRule(app: Compiled, side: 'browser' | 'server'): RuleSetRule {
  const cssLoader = {
    loader: 'css-loader',
    options: {
      modules: {
        auto: true,
        namedExport: false,
        exportLocalsConvention: 'as-is',
        exportOnlyLocals: side === 'server',
        // The salt keeps two apps (or two versions of a shared component in them) from meeting in one class name.
        localIdentName: '[hash:base64:7]',
        localIdentHashSalt: `${app.name}@${app.packageVersion}`,
        localIdentContext: join(import.meta.dirname, '../../..'),
      },
    },
  };
  return {
    test: /\.css$/,
    use: side === 'browser' ? [MiniCssExtractPlugin.loader, cssLoader] : [cssLoader],
    sideEffects: true,
  };
}

const assetRule: RuleSetRule = {
  test: /\.(woff2|svg|png|webmanifest|txt)$/,
  resourceQuery: { not: [/inline|root|letters/] },
  type: 'asset/resource',
};

/** `?letters=…`: a font with these letters alone. */
const lettersRule: RuleSetRule = {
  test: /\.woff2$/,
  resourceQuery: /^\?letters=/,
  type: 'asset/resource',
  generator: { filename: '[name].letters.[contenthash:12][ext]' },
  loader: join(import.meta.dirname, 'fonts/letters-loader.ts'),
};

/** `?inline`: put inline into the document's head; `?root`: answers at the root of the site under its plain name. */
const staticFileRules: RuleSetRule[] = ['inline', 'root'].map((folder) => ({
  resourceQuery: new RegExp(`^\\?${folder}$`),
  type: 'asset/resource',
  generator: { filename: `${folder}/[name].[contenthash:12][ext]` },
}));
