import type { ComponentType } from 'react';
import { integrityPattern, type BootRemote, type BootRoute, type RemoteBuild } from '@site/contract';
import { containerName } from '@site/contract/remote-container';
import { createShareScope } from './shared-modules.ts';
import { createStylesheetSwap } from './stylesheet-swap.ts';

export interface RemoteLoader {
  /** @throws the cause: network, integrity, a script that throws, a missing module. */
  load(route: BootRoute): Promise<ComponentType>;
  use(remote: string, build: RemoteBuild): void;
}

const ENTRY_TIMEOUT_MS = 10_000;

const LOAD_TIMEOUT_MS = 20_000;

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Browsers ignore an integrity that they cannot parse, so only a well-formed one is valid.
 *
 * @throws Error for a build without a known integrity.
 */
export function requiredIntegrity(build: RemoteBuild | undefined): string {
  if (build?.dev) return '';
  if (build && integrityPattern.test(build.integrity)) return build.integrity;
  throw new Error(`${build?.entry} has no integrity.`);
}

/** @see https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers */
interface Container {
  init(shareScope: ReturnType<typeof createShareScope>): unknown;
  get(module: string): Promise<() => { default?: ComponentType } | undefined>;
}

interface Registered {
  build: RemoteBuild;
  url: string;
  container?: Promise<Container> | undefined;
}

export function createFederationLoader(remotes: ReadonlyMap<string, BootRemote>): RemoteLoader {
  const registered = new Map<string, Registered>();
  const shareScope = createShareScope();
  const stylesheets = createStylesheetSwap(document);
  let attempt = 0;

  function find(remote: string): Registered {
    const live = remotes.get(remote);
    const known = registered.get(remote) ?? (live && { build: live, url: live.entry });
    if (!known) throw new Error(`The release has no remote ${remote}.`);
    registered.set(remote, known);
    return known;
  }

  async function open(name: string, { build, url }: Registered): Promise<Container> {
    // An entry that throws would leave the previous build's container in the global.
    Reflect.set(globalThis, name, undefined);
    await loadScript(url, requiredIntegrity(build));
    const container = Reflect.get(globalThis, name) as Container | undefined;
    if (!container) throw new Error(`${url} defines no ${name}.`);
    await container.init(shareScope);
    return container;
  }

  function loadContainer(remote: string): Promise<Container> {
    const known = find(remote);
    known.container ??= open(containerName(remote), known).catch((error: unknown) => {
      known.container = undefined;
      throw error;
    });
    return known.container;
  }

  async function loadModule({ remote, module }: BootRoute) {
    const container = await loadContainer(remote);
    return (await container.get(module))();
  }

  return {
    async load(route) {
      const loaded = await within(LOAD_TIMEOUT_MS, loadModule(route));
      if (typeof loaded?.default !== 'function') {
        throw new Error(`${route.module} of ${route.remote} has no component as its default export.`);
      }
      stylesheets.dropOutdated(route.remote);
      return loaded.default;
    },
    use(remote, build) {
      const before = registered.get(remote)?.build ?? remotes.get(remote);
      const isSameBuild = before?.entry === build.entry && !build.dev;
      stylesheets.outdate(remote, isSameBuild);
      // Every build of a remote stores its chunks in the same global list, under the same IDs. Without a reset one
      // build would run the other's code. The list is named after the bundler. Two containers of one build share it, so
      // that the open page still receives its chunks.
      for (const bundler of isSameBuild ? [] : ['webpack', 'rspack'])
        Reflect.deleteProperty(globalThis, `${bundler}Chunk${containerName(remote)}`);
      // A new URL each time, because a damaged response may be in the browser's cache as immutable.
      registered.set(remote, { build, url: `${build.entry}?attempt=${(attempt += 1)}` });
    },
  };
}

/** @throws Error if the script does not load within 10 seconds. Errors of the script itself only reach the console. */
async function loadScript(url: string, integrity: string): Promise<void> {
  const script = document.createElement('script');
  script.src = url;
  script.crossOrigin = 'anonymous';
  script.integrity = integrity;
  const ran = new Promise<void>((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} cannot be loaded.`));
  });
  document.head.append(script);
  try {
    await within(ENTRY_TIMEOUT_MS, ran);
  } finally {
    script.remove();
  }
}
