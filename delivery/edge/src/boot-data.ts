import {
  assetUrl,
  type BootData,
  type BootRemote,
  type RemoteBuild,
  type RemoteManifest,
  type ShellManifest,
  type VariantChoice,
} from '@site/contract';
import type { ReleaseDocument } from '@site/contract';
import { ReleaseError } from './release-error.ts';

/** A release taken apart: its shell, its remotes, and the builds to fall back to. */
export interface ReleaseParts {
  shell: ShellManifest;
  remotes: RemoteManifest[];
  lastGood: Map<string, RemoteManifest>;
}

/** @throws ReleaseError when a manifest that the release names is missing or of the wrong kind. */
export function takeApart({ release, manifests }: ReleaseDocument): ReleaseParts {
  const manifestOf = (app: string, version: string) => {
    const manifest = manifests[`${app}@${version}`];
    if (!manifest)
      throw new ReleaseError(`${release.id} names ${app}@${version} but does not carry its manifest.`);
    return manifest;
  };
  const remoteOf = (app: string, version: string) => {
    const manifest = manifestOf(app, version);
    if (manifest.kind !== 'remote')
      throw new ReleaseError(`${release.id}: ${app}@${version} is not a remote.`);
    return manifest;
  };
  const shellVersion = release.apps.shell;
  if (!shellVersion) throw new ReleaseError(`${release.id} has no shell.`);
  const shell = manifestOf('shell', shellVersion);
  if (shell.kind !== 'shell') throw new ReleaseError(`${release.id}: shell@${shellVersion} is not a shell.`);
  return {
    shell,
    remotes: Object.entries(release.apps)
      .filter(([app]) => app !== 'shell')
      .map(([app, version]) => remoteOf(app, version)),
    lastGood: new Map(
      Object.entries(release.lastGood)
        .filter(([app, version]) => app !== 'shell' && release.apps[app] !== version)
        .map(([app, version]) => [app, remoteOf(app, version)]),
    ),
  };
}

/** A remote that comes from a developer's machine instead of from its published version. */
export interface DevRemote {
  app: string;
  /** A loopback origin: `http://localhost:3002`. */
  origin: string;
}

/** What every document of a release tells the shell; the page adds its path and its variants. */
export function createBootData(
  { release }: ReleaseDocument,
  { remotes, lastGood }: ReleaseParts,
  dev?: DevRemote,
): (rendered: string | null, variants: VariantChoice) => BootData {
  const common = {
    release: release.id,
    channel: release.channel,
    config: release.config,
    remotes: remotes.map((manifest): BootRemote => {
      // Without an earlier version to fall back to: the developer wants to see what is broken.
      if (manifest.app === dev?.app) return devRemote(dev);
      const fallback = lastGood.get(manifest.app);
      return {
        name: manifest.app,
        ...buildOf(manifest),
        ...(fallback ? { lastGood: buildOf(fallback) } : {}),
      };
    }),
    routes: remotes.flatMap(({ app, pages }) =>
      pages.map(({ path, module, js, css, variants }) => ({
        path,
        remote: app,
        module,
        files: app === dev?.app ? [] : [...js, ...css].map((file) => assetUrl(app, file)),
        ...(variants ? { variants } : {}),
      })),
    ),
    redirects: remotes.flatMap(({ redirects }) => redirects),
  };
  return (rendered, variants) => ({ ...common, variants, rendered });
}

/** As the dev server (shared/build) serves it: nothing hashed, nothing checked. */
function devRemote({ app, origin }: DevRemote): BootRemote {
  return {
    name: app,
    version: 'dev',
    entry: `${origin}${assetUrl(app, 'remoteEntry.js')}`,
    integrity: '',
  };
}

function buildOf(manifest: RemoteManifest): RemoteBuild {
  return {
    version: manifest.version,
    entry: assetUrl(manifest.app, manifest.entry),
    integrity: integrityOfFile(manifest, manifest.entry),
  };
}

/** @throws ReleaseError when a manifest names a file that is not among its assets. */
export function integrityOfFile(manifest: RemoteManifest | ShellManifest, path: string): string {
  const file = manifest.assets.find((asset) => asset.path === path);
  if (!file) {
    throw new ReleaseError(
      `${manifest.app}@${manifest.version} names ${path}, which is not among its assets.`,
    );
  }
  return file.integrity;
}
