import { createRequire } from 'node:module';
import { join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { LoaderContext, RuleSetRule } from 'webpack';
import type { App } from './app.ts';
import { ownModule } from './own-module.ts';
import { stableClassName, stableName } from './stable-names.ts';

const require = createRequire(import.meta.url);

export type Compiled = Pick<App, 'name' | 'folder' | 'packageVersion'>;

export function browserRules(app: Compiled, isDevelopment = false): RuleSetRule[] {
  return [
    isDevelopment ? developmentRule(app) : typescriptRule(app, { sourceMap: true }),
    artRule('browser'),
    builtRule,
    routerRule,
    cssRule(app, 'browser'),
    assetRule,
    lettersRule,
    ...staticFileRules,
  ];
}

export function serverRules(app: Compiled): RuleSetRule[] {
  return [
    typescriptRule(app),
    artRule('server'),
    builtRule,
    cssRule(app, 'server'),
    { ...assetRule, generator: { emit: false } },
  ];
}

/** Modules that become files: `@site/ui/art`. JavaScript in published packages. */
const artModule = /\.art\.(tsx|js)$/;

function artRule(side: 'browser' | 'server'): RuleSetRule {
  return {
    test: artModule,
    loader: ownModule('drawings/art-loader'),
    options: { emit: side === 'browser' },
  };
}

function typescriptRule(app: Compiled, more: { sourceMap?: boolean } = {}): RuleSetRule {
  return {
    test: /\.tsx?$/,
    exclude: [/node_modules/, artModule],
    loader: require.resolve('ts-loader'),
    options: {
      // Types are checked separately: `npm run typecheck`, `site publish`.
      transpileOnly: true,
      configFile: join(import.meta.dirname, '../tsconfig.json'),
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

const builtRule: RuleSetRule = {
  test: /[\\/]node_modules[\\/]@site[\\/].*\.js$/,
  exclude: artModule,
  loader: ownModule('built-module-loader'),
};

function developmentRule({ name }: Compiled): RuleSetRule {
  return {
    test: /\.tsx?$/,
    exclude: [/node_modules/, artModule],
    loader: ownModule('dev-tsx-loader'),
    options: { app: name },
  };
}

const routerRule: RuleSetRule = {
  test: /[\\/]react-router[\\/]dist[\\/].*\.mjs$/,
  loader: ownModule('pure-components-loader'),
};

function cssRule(app: Compiled, side: 'browser' | 'server'): RuleSetRule {
  const cssLoader = {
    loader: require.resolve('css-loader'),
    options: {
      modules: {
        auto: true,
        namedExport: false,
        exportLocalsConvention: 'as-is',
        exportOnlyLocals: side === 'server',
        // The salt separates the class names of two apps, or of two versions of a shared component in them.
        getLocalIdent: ({ resourcePath }: LoaderContext<object>, _format: string, name: string) =>
          stableClassName(app.name, `${app.name}@${app.packageVersion}|${stableName(resourcePath)}|${name}`),
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
  test: /\.(avif|jpe?g|png|svg|webp|woff2|webmanifest|txt)$/,
  resourceQuery: { not: [/inline|root|letters/] },
  type: 'asset/resource',
};

/** `?letters=…`: a font subset. */
const lettersRule: RuleSetRule = {
  test: /\.woff2$/,
  resourceQuery: /^\?letters=/,
  type: 'asset/resource',
  generator: { filename: 'letters.[contenthash:12][ext]' },
  loader: ownModule('fonts/letters-loader'),
};

/**
 * `?inline`: inlined into the document's head; `?root`: served at the root of the site under its plain name.
 */
const staticFileRules: RuleSetRule[] = ['inline', 'root'].map((folder) => ({
  resourceQuery: new RegExp(`^\\?${folder}$`),
  type: 'asset/resource',
  generator: { filename: `${folder}/[name].[contenthash:12][ext]` },
}));
