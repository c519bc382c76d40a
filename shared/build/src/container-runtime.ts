/**
 * The runtime of a standard federation container: `init(shareScope)` and `get(module)`. It replaces
 * `@module-federation/webpack-bundler-runtime`, which the federation plugin adds to every entry. That one is 27 KB
 * larger, because it supports hosts, version negotiation and debugging
 * (`docs/decisions/0007-standard-containers-without-a-runtime.md`).
 *
 * The plugin's generated code requires these names.
 */

/** A shared module: https://webpack.js.org/plugins/module-federation-plugin/. */
interface SharedModule {
  get(): Factory | Promise<Factory>;
  loaded?: unknown;
}
type Factory = () => unknown;
type ShareScope = Record<string, Record<string, SharedModule>>;

interface WebpackRequire {
  S: Record<string, ShareScope>;
  /** Module factories. */
  m: Record<string, (module: { exports: unknown }) => void>;
  /** Evaluated modules. */
  c: Record<string, unknown>;
  consumesLoadingData: {
    moduleIdToConsumeDataMapping: Record<string, { shareKey: string; fallback(): Factory }>;
  };
}

interface ConsumeOptions {
  webpackRequire: WebpackRequire;
  chunkId: string | number;
  chunkMapping: Record<string, string[]>;
  installedModules: Record<string, Promise<void> | 0 | undefined>;
  promises: Promise<void>[];
}

interface InitOptions {
  webpackRequire: WebpackRequire;
  shareScope: ShareScope;
}

const SCOPE_NAME = 'default';

const bundlerRuntime = {
  /** `container.init`. @throws Error if another host has initialized it. */
  initContainerEntry({ webpackRequire: { S }, shareScope }: InitOptions): true {
    if (S[SCOPE_NAME] && S[SCOPE_NAME] !== shareScope)
      throw new Error(
        'Container initialization failed as it has already been initialized with a different share scope',
      );
    S[SCOPE_NAME] = shareScope;
    return true;
  },

  consumes({ webpackRequire, chunkId, chunkMapping, installedModules, promises }: ConsumeOptions): void {
    for (const id of chunkMapping[chunkId] ?? []) {
      const installed = (installedModules[id] ??= consume(webpackRequire, id, installedModules).catch(
        (error: unknown) => {
          // So that the next chunk retries.
          Reflect.deleteProperty(installedModules, id);
          throw error;
        },
      ));
      if (installed !== 0) promises.push(installed);
    }
  },

  /** A remote shares nothing. */
  I: () => true,
  /** The plugin's code only checks that the result exists. */
  init: () => ({}),
};

async function consume(
  { S, m, c, consumesLoadingData }: WebpackRequire,
  id: string,
  installedModules: ConsumeOptions['installedModules'],
): Promise<void> {
  const consumed = consumesLoadingData.moduleIdToConsumeDataMapping[id];
  const versions = Object.values(S[SCOPE_NAME]?.[consumed?.shareKey ?? ''] ?? {});
  // All apps use the same copy: the loaded one, else the host's first. Version ranges were checked when the
  // release was made.
  const shared = versions.find(({ loaded }) => loaded) ?? versions[0];
  // The fallback of a module without a local copy throws a descriptive error.
  const factory = await (shared ? shared.get() : consumed?.fallback());
  installedModules[id] = 0;
  m[id] = (module) => {
    Reflect.deleteProperty(c, id);
    module.exports = factory?.();
  };
}

export default { runtime: {}, bundlerRuntime };
