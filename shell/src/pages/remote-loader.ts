import type { ComponentType } from 'react';
import { integrityPattern, type BootRemote, type BootRoute, type RemoteBuild } from '@site/contract';
import { containerName } from '@site/contract/container-name';
import { createShareScope } from './shared-modules.ts';
import { createStylesheetSwap } from './stylesheet-swap.ts';

/** Loads the page modules of remotes, in whichever build was registered last. */
export interface RemoteLoader {
  /** @throws whatever kept the module from loading: network, integrity, a script that throws, a missing module. */
  load(route: BootRoute): Promise<ComponentType>;
  /** From now on loads `remote` from `build`, in a new container. */
  use(remote: string, build: RemoteBuild): void;
}

/** How long an entry may take before the attempt counts as failed. */
const ENTRY_TIMEOUT_MS = 10_000;

/** How long an entry, its chunks and its stylesheet may take together: a stylesheet that hangs has no limit of its own. */
const LOAD_TIMEOUT_MS = 20_000;

/** @throws Error when `promise` takes longer than `ms`. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * What a browser cannot understand it does not check: only a well-formed integrity counts.
 *
 * @throws Error for a build whose integrity is not known.
 */
export function requiredIntegrity(build: RemoteBuild | undefined): string {
  if (build?.dev) return '';
  if (build && integrityPattern.test(build.integrity)) return build.integrity;
  throw new Error(`${build?.entry} has no integrity.`);
}

/** @see https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers */
interface Container {
  /** Gives it the host's modules, once. */
  init(shareScope: ReturnType<typeof createShareScope>): unknown;
  /** Loads a module. */
  get(module: string): Promise<() => { default?: ComponentType } | undefined>;
}

/** A remote as it is loaded from now on. */
interface Registered {
  build: RemoteBuild;
  url: string;
  /** Once it was asked for; not after it failed, so that the next one asks again. */
  container?: Promise<Container> | undefined;
}

/** Loads remotes as standard federation containers, each when it is first needed. */
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
    // What an entry that throws leaves behind would be the container of the build before.
    Reflect.set(globalThis, name, undefined);
    await loadScript(url, requiredIntegrity(build));
    const container = Reflect.get(globalThis, name) as Container | undefined;
    if (!container) throw new Error(`${url} defines no ${name}.`);
    await container.init(shareScope);
    return container;
  }

  function containerOf(remote: string): Promise<Container> {
    const known = find(remote);
    known.container ??= open(containerName(remote), known).catch((error: unknown) => {
      known.container = undefined;
      throw error;
    });
    return known.container;
  }

  async function loadModule({ remote, module }: BootRoute) {
    const container = await containerOf(remote);
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
      // Every build of a remote keeps its chunks in the same global list, under the same ids: without this one build would
      // run the code of the other. The list is named after the bundler. Two containers of one build share it, so that the open page
      // still receives its chunks.
      for (const bundler of isSameBuild ? [] : ['webpack', 'rspack'])
        Reflect.deleteProperty(globalThis, `${bundler}Chunk${containerName(remote)}`);
      // Another address each time: a damaged answer may stand in the browser's cache, marked as immutable.
      registered.set(remote, { build, url: `${build.entry}?attempt=${(attempt += 1)}` });
    },
  };
}

/** @throws Error when the script cannot be loaded within 10 seconds. What it throws itself goes to the console alone. */
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
