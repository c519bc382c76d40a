import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const require = createRequire(import.meta.url);

// React's production build has no `act`. Workers inherit it.
process.env['NODE_ENV'] = 'test';

/** A module of this package: TypeScript in the repository, JavaScript in the published package. */
const own = (name: string) => join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);

/** ES modules that Jest's own runtime cannot load without compiling. */
const modern = ['@site', 'altcha', 'altcha-lib', 'cookie', 'jose', 'jwt-decode', 'sugar-high', 'uuid'];

/**
 * Jest preset for pages: `preset: '@site/testing'`. Renders in jsdom, compiles TypeScript and drawings, omits
 * styles; unexpected console output fails a test.
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
  // In the innermost node_modules: linked installations have several in a path.
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/)(?!(${modern.join('|')})/)`],
  moduleNameMapper: {
    '\\.module\\.css$': own('css-module-stub'),
    '\\.css$': own('css-stub'),
    '\\.(avif|jpe?g|png|svg|webp|woff2)$': own('file-stub'),
  },
  setupFilesAfterEnv: [own('fail-on-console'), own('setup-dom')],
};
