/**
 * One Jest for everything: `browser` runs in jsdom, `node` in Node, `e2e` starts the real site and a real browser,
 * `delivery` registry and edges.
 */
import { join } from 'node:path';

/**
 * Every process that a test starts compiles the same sources: with this they do it once for all, which is two thirds of
 * a short one's work. Workers and what they start inherit it.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2023',
    },
    module: { type: 'commonjs' },
  },
];

const failOnConsole = '<rootDir>/shared/testing/src/fail-on-console.ts';
/** Tests that start sites, clusters and browsers. */
const longLimit = '<rootDir>/tests/long-limit.ts';
const recording = process.env.RECORD_TESTS ? ['<rootDir>/tests/mutate/record-tests.ts'] : [];

/** Packages as they are published (`npm run packages`) have the names of their sources. */
const modulePathIgnorePatterns = ['<rootDir>/(shared|delivery)/[^/]+/dist/'];

/** Tests run in the worker's process, and Node loads their modules: docs/decisions/0001-pinned-toolchain.md. */
const plainNode = {
  testEnvironment: '<rootDir>/shared/testing/src/plain-node/environment.ts',
  runtime: '<rootDir>/shared/testing/src/plain-node/runtime.ts',
  // Only what Jest loads itself: the environment, and the set-up of a run.
  transform: { '\\.ts$': swc },
  setupFilesAfterEnv: [failOnConsole],
  modulePathIgnorePatterns,
};

const appTests = (extension) => [
  `<rootDir>/{shell,mfe-*}/src/**/*.test.${extension}`,
  `<rootDir>/shared/{kit,ui,testing}/src/**/*.test.${extension}`,
  `<rootDir>/delivery/console/src/**/*.test.${extension}`,
];

export default {
  // The limit of every test and every hook is for what hangs. It does not measure anything: the machine may be busy.
  // What a test waits for fails earlier, with a name (`waitFor`).
  testTimeout: 120_000,
  projects: [
    {
      // As in a separate repository of a team.
      preset: '@site/testing',
      displayName: 'browser',
      testEnvironment: '<rootDir>/shared/testing/src/plain-node/jsdom-environment.ts',
      modulePathIgnorePatterns,
      testMatch: [...appTests('ts'), ...appTests('tsx')],
    },
    {
      ...plainNode,
      displayName: 'node',
      setupFilesAfterEnv: [...recording, failOnConsole, '<rootDir>/shared/server/src/testing/one-seed.ts'],
      globalSetup: '<rootDir>/shared/server/src/testing/global-setup.ts',
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/delivery/console/'],
      testMatch: [
        '<rootDir>/{services,delivery}/*/src/**/*.test.ts',
        '<rootDir>/shared/{contract,server,build,create-remote,packages}/src/**/*.test.ts',
        '<rootDir>/tests/{contract,docs,guard,services}/**/*.test.ts',
      ],
    },
    {
      ...plainNode,
      displayName: 'e2e',
      setupFilesAfterEnv: [failOnConsole, longLimit],
      testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/tests/e2e/harness/global-setup.ts',
      globalTeardown: '<rootDir>/tests/e2e/harness/global-teardown.ts',
    },
    {
      ...plainNode,
      displayName: 'delivery',
      setupFilesAfterEnv: [failOnConsole, longLimit],
      globalSetup: '<rootDir>/tests/delivery/harness/global-setup.ts',
      testMatch: ['<rootDir>/tests/{delivery,attacks,teams,deploy}/**/*.test.ts'],
    },
  ],
};
