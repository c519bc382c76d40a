import type { ComponentType } from 'react';
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import { integrityPattern, type BootRemote, type BootRoute, type RemoteBuild } from '@site/contract';
import { createStylesheetSwap } from './stylesheet-swap.ts';

/** Loads the page modules of remotes, in whichever build was registered last. */
export interface RemoteLoader {
  /** @throws whatever kept the module from loading: network, integrity, a script that throws, a missing module. */
  load(route: BootRoute): Promise<ComponentType>;
  /** From now on loads `remote` from `build`. */
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

/** Federation container names have no "-". */
const containerName = (remote: string) => remote.replaceAll('-', '_');

/**
 * What a browser cannot understand it does not check: only a well-formed integrity counts.
 *
 * @throws Error for a build whose integrity is not known.
 */
export function requiredIntegrity(build: RemoteBuild | undefined): string {
  if (build?.dev) return '';
  if (build && integrityPattern.test(build.integrity)) return build.integrity;
  throw new Error(`${build?.entry ?? 'An entry'} is not loaded: its integrity is not known.`);
}

/** The federation runtime as a `RemoteLoader`: each remote is registered when it is first needed. */
export function createFederationLoader(remotes: ReadonlyMap<string, BootRemote>): RemoteLoader {
  /** By the address of their entries. */
  const builds = new Map<string, RemoteBuild>();
  /** The build of each remote that is loaded from now on. */
  const registered = new Map<string, RemoteBuild>();
  const stylesheets = createStylesheetSwap(document);
  let attempt = 0;

  registerPlugins([
    {
      name: 'site-integrity',
      createScript({ url }) {
        const script = document.createElement('script');
        script.src = url;
        script.crossOrigin = 'anonymous';
        script.integrity = requiredIntegrity(builds.get(new URL(url, location.href).pathname));
        return { script, timeout: ENTRY_TIMEOUT_MS };
      },
    },
  ]);

  function register(remote: string, build: RemoteBuild, entry: string): void {
    builds.set(new URL(build.entry, location.href).pathname, build);
    registerRemotes([{ name: containerName(remote), entry }], { force: registered.has(remote) });
    registered.set(remote, build);
  }

  return {
    async load({ remote, module }) {
      const live = remotes.get(remote);
      if (live && !registered.has(remote)) register(remote, live, live.entry);
      requiredIntegrity(registered.get(remote));
      const loaded = await within(
        LOAD_TIMEOUT_MS,
        loadRemote<{ default?: ComponentType }>(`${containerName(remote)}/${module.slice(2)}`),
      );
      if (typeof loaded?.default !== 'function') {
        throw new Error(`The module ${module} of ${remote} has no page component as its default export.`);
      }
      stylesheets.dropOutdated(remote);
      return loaded.default;
    },
    use(remote, build) {
      stylesheets.outdate(remote);
      // Every build of a remote keeps its chunks in the same global list, under the same ids: without this one build would
      // run the code of the other.
      Reflect.deleteProperty(globalThis, `webpackChunk${containerName(remote)}`);
      // Another address each time: a damaged answer may stand in the browser's cache, marked as immutable.
      register(remote, build, `${build.entry}?attempt=${(attempt += 1)}`);
    },
  };
}
