import { createHash } from 'node:crypto';
import {
  assetUrl,
  choiceCount,
  chosenVariants,
  DEV_TABLE_PATH,
  type BootData,
  type BootRemote,
  type BootTable,
  type RemoteBuild,
  type RemoteManifest,
  type ShellManifest,
  type VariantChoice,
  type Redirect,
  type Release,
  type SiteConfig,
  type ReleaseDocument,
} from '@site/contract';
import { devRemote } from '@site/contract/remote-container';
import { ReleaseError } from './release-error.ts';

export interface ReleaseParts {
  shell: ShellManifest;
  remotes: RemoteManifest[];
  lastGood: Map<string, RemoteManifest>;
}

/** @throws ReleaseError if a manifest that the release references is missing or of the wrong kind. */
export function takeApart({ release, manifests }: ReleaseDocument): ReleaseParts {
  const findManifest = (app: string, version: string) => {
    const manifest = manifests[`${app}@${version}`];
    if (!manifest)
      throw new ReleaseError(`${release.id} names ${app}@${version} but does not carry its manifest.`);
    return manifest;
  };
  const findRemote = (app: string, version: string) => {
    const manifest = findManifest(app, version);
    if (manifest.kind !== 'remote')
      throw new ReleaseError(`${release.id}: ${app}@${version} is not a remote.`);
    return manifest;
  };
  const shellVersion = release.apps.shell;
  if (!shellVersion) throw new ReleaseError(`${release.id} has no shell.`);
  const shell = findManifest('shell', shellVersion);
  if (shell.kind !== 'shell') throw new ReleaseError(`${release.id}: shell@${shellVersion} is not a shell.`);
  return {
    shell,
    remotes: Object.entries(release.apps)
      .filter(([app]) => app !== 'shell')
      .map(([app, version]) => showChosen(findRemote(app, version), release.config)),
    lastGood: new Map(
      Object.entries(release.lastGood)
        .filter(([app, version]) => app !== 'shell' && release.apps[app] !== version)
        .map(([app, version]) => [app, findRemote(app, version)]),
    ),
  };
}

function showChosen(remote: RemoteManifest, { chosenVariants: chosen = {} }: SiteConfig): RemoteManifest {
  if (!remote.pages.some(({ path }) => path in chosen)) return remote;
  const pages = remote.pages.map((page) =>
    page.variants ? { ...page, variants: chosenVariants(page.variants, chosen[page.path]) } : page,
  );
  return { ...remote, pages };
}

export interface DevRemote {
  app: string;
  /** A loopback origin: `http://localhost:3002`. */
  origin: string;
}

/** The data blocks of a release's documents. */
export interface ReleaseBoot {
  frame: string;
  of(remote: string, path: string, isRendered: boolean, variants: VariantChoice): BootData;
}

export interface BootOptions {
  /** With a dev remote, each document embeds the whole table, because the developer's machine adds routes to it. */
  dev?: DevRemote | null;
  /** Marks previews. */
  banner?: string | null;
}

/**
 * Identifies shell and configuration: documents of one frame differ only in their page. A preview has its own frames,
 * so that its tabs and the site's never share a table.
 */
export function frameId(
  { apps, channel, config }: Pick<Release, 'apps' | 'channel' | 'config'>,
  banner: string | null = null,
): string {
  const parts = JSON.stringify([apps['shell'], channel, config, banner]);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 16);
}

export function createBootData(
  { release }: { release: Pick<Release, 'id' | 'apps' | 'channel' | 'config'> },
  table: BootTable,
  shellScripts: string[],
  { dev = null, banner = null }: BootOptions = {},
): ReleaseBoot {
  const { id, apps, channel, config } = release;
  const frame = frameId(release, banner);
  // Without the last good version, which depends on other releases.
  const remotes = new Map(
    table.remotes.map(({ name, version, entry, integrity, scripts }) => [
      name,
      { name, version, entry, integrity, scripts },
    ]),
  );
  const routes = new Map(table.routes.map((route) => [route.path, route]));
  const pagePart = (remote: string, path: string): BootTable => ({
    remotes: [remotes.get(remote)].filter((known) => known !== undefined),
    routes: [routes.get(path)].filter((known) => known !== undefined),
    redirects: [],
  });
  // The target of unknown paths also comes from the developer's machine, so the catch-all redirect is dropped.
  const developed = dev && {
    ...table,
    redirects: table.redirects.filter(({ from }) => from !== '*'),
    dev: { release: id, table: dev.origin + DEV_TABLE_PATH },
  };
  return {
    frame,
    of: (remote, path, isRendered, variants) => ({
      frame,
      shell: apps['shell'] ?? '',
      shellScripts,
      channel,
      config,
      ...(developed ?? pagePart(remote, path)),
      variants,
      rendered: isRendered ? path : null,
    }),
  };
}

export interface RetiredAddresses {
  redirects: Redirect[];
  gone: string[];
}

export function createTable(
  { remotes, lastGood }: Pick<ReleaseParts, 'remotes' | 'lastGood'>,
  dev: DevRemote | null = null,
  retired: RetiredAddresses = { redirects: [], gone: [] },
): BootTable {
  const isNew = dev !== null && !remotes.some(({ app }) => app === dev.app);
  const published = remotes.map((manifest): BootRemote => {
    // No fallback to an earlier version, so that the developer sees failures.
    if (manifest.app === dev?.app) return devRemote(dev.app, dev.origin);
    const fallback = lastGood.get(manifest.app);
    return {
      name: manifest.app,
      ...remoteBuild(manifest),
      ...(fallback ? { lastGood: remoteBuild(fallback) } : {}),
    };
  });
  // Independent of the order of the release's apps, so that every edge sends the same bytes.
  return {
    remotes: sorted(isNew ? [...published, devRemote(dev.app, dev.origin)] : published, ({ name }) => name),
    routes: sorted(
      remotes.flatMap(({ app, pages }) =>
        pages.map(({ path, module, js, css, variants, outcomes }) => ({
          path,
          remote: app,
          module,
          ...(app === dev?.app ? {} : { paths: [...js, ...css] }),
          ...(variants ? { variants } : {}),
          ...(outcomes && choiceCount(variants) > 1 ? { outcomes } : {}),
        })),
      ),
      ({ path }) => path,
    ),
    redirects: sorted(
      [...remotes.flatMap(({ redirects }) => redirects), ...retired.redirects],
      ({ from }) => from,
    ),
    ...(retired.gone.length > 0 ? { gone: retired.gone.toSorted() } : {}),
  };
}

function sorted<T>(items: T[], key: (item: T) => string): T[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function remoteBuild(manifest: RemoteManifest): RemoteBuild {
  return {
    version: manifest.version,
    entry: assetUrl(manifest.app, manifest.entry),
    integrity: integrityOfFile(manifest, manifest.entry),
    scripts: listScripts(manifest).filter((path) => path !== manifest.entry),
  };
}

export function listScripts({ assets }: RemoteManifest | ShellManifest): string[] {
  return assets.map(({ path }) => path).filter((path) => path.endsWith('.js') && !path.startsWith('inline/'));
}

export function integrityOfFile(manifest: RemoteManifest | ShellManifest, path: string): string {
  const file = manifest.assets.find((asset) => asset.path === path);
  if (!file) {
    throw new ReleaseError(
      `${manifest.app}@${manifest.version} names ${path}, which is not among its assets.`,
    );
  }
  return file.integrity;
}
