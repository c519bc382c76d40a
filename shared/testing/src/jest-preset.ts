import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** A module of this package: TypeScript where this one is, and JavaScript where the package is built. */
const own = (name: string) => join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);

/** What ships ES modules only, which Jest's own runtime does not load as they are. */
const modern = ['@site', 'altcha', 'altcha-lib', 'cookie', 'jose', 'jwt-decode', 'sugar-high', 'uuid'];

/**
 * Jest for pages: `preset: '@site/testing'`. They render in jsdom, with TypeScript compiled, drawings drawn and styles left out; what
 * a test writes to the console unexpectedly fails it.
 */
export default {
  testEnvironment: require.resolve('jest-environment-jsdom'),
  transform: {
    '\\.art\\.(tsx|js)$': require.resolve('@site/build/drawings/jest-transform'),
    '\\.[cm]?[jt]sx?$': [
      require.resolve('@swc/jest'),
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2023',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${modern.join('|')})/)`],
  moduleNameMapper: {
    '\\.module\\.css$': own('css-module-stub'),
    '\\.css$': own('css-stub'),
    '\\.(avif|jpe?g|png|svg|webp|woff2)$': own('file-stub'),
  },
  setupFilesAfterEnv: [own('fail-on-console'), own('setup-dom')],
};
