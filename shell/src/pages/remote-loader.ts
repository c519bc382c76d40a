import type { ComponentType } from 'react';
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import type { BootRemote, BootRoute, RemoteBuild } from '@site/contract';

/** Loads the page modules of remotes, in whichever build was registered last. */
export interface RemoteLoader {
  /** @throws whatever kept the module from loading: network, integrity, a script that throws, a missing module. */
  load(route: BootRoute): Promise<ComponentType>;
  /** From now on loads `remote` from `build`. */
  use(remote: string, build: RemoteBuild): void;
}

/** How long an entry may take before the attempt counts as failed. */
const entryTimeoutMs = 10_000;

/** Federation container names have no "-". */
const containerName = (remote: string) => remote.replaceAll('-', '_');

/** The federation runtime as a `RemoteLoader`: registers every remote's entry, loads none of them yet. */
export function createFederationLoader(remotes: BootRemote[]): RemoteLoader {
  const integrity = new Map(remotes.map((remote) => [remote.entry, remote.integrity]));

  registerPlugins([
    {
      name: 'site-integrity',
      createScript({ url }) {
        const script = document.createElement('script');
        script.src = url;
        script.crossOrigin = 'anonymous';
        const known = integrity.get(new URL(url, location.href).pathname);
        if (known) script.integrity = known;
        return { script, timeout: entryTimeoutMs };
      },
    },
  ]);
  registerRemotes(remotes.map(({ name, entry }) => ({ name: containerName(name), entry })));

  return {
    async load({ remote, module }) {
      const loaded = await loadRemote<{ default?: ComponentType }>(
        `${containerName(remote)}/${module.slice(2)}`,
      );
      if (typeof loaded?.default !== 'function') {
        throw new Error(`The module ${module} of ${remote} has no page component as its default export.`);
      }
      return loaded.default;
    },
    use(remote, build) {
      integrity.set(build.entry, build.integrity);
      // Every build of a remote keeps its chunks in the same global list, under the same ids: without this one build would
      // run the code of the other.
      Reflect.deleteProperty(globalThis, `webpackChunk${containerName(remote)}`);
      registerRemotes([{ name: containerName(remote), entry: build.entry }], { force: true });
    },
  };
}
