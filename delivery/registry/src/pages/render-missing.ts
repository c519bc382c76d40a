import {
  variantChoices,
  variantKey,
  type PageEntry,
  type RemoteManifest,
  type SiteConfig,
  type VersionManifest,
} from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { insertRendered, type RenderContext, type RenderedEntry } from './rendered-page.repository.ts';
import { digest } from '../kernel/canonical-json.ts';
import { refuseUndeclaredForms } from '../versions/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ReleaseSet } from './release-set.ts';
import { renderJobs, type RenderJob } from './render-jobs.ts';
import { findRenderedPages } from './rendered-pages.ts';

export interface RenderOptions {
  /** Checks each page in the store. Default: checks only its pack, which is what edges read. Used by repairs. */
  looksForEach?: boolean;
  /** Trusts the index if the store does not respond. */
  storeMayBeAway?: boolean;
  /**
   * Apps with versions that visitors do not have yet: undeclared forms in them are rejected (`refuseUndeclaredForms`).
   */
  unproven?: readonly string[];
  skipsBroken?: boolean;
}

/**
 * @returns the number of rendered pages; each variant counts.
 * @throws ApiError `page_not_rendered` that names the page, `composer_unavailable`, `blob_missing`; `forms_unmet` for
 * unproven apps.
 */
export async function renderMissing(
  context: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  options: RenderOptions = {},
): Promise<number> {
  const { renderContext, lost, jobs } = await findMissing(context, { shell, remotes }, config, options);
  const counts = await renderJobs(context, { shell, config }, jobs, async (remote, render) => {
    try {
      const entries = await render();
      const at = context.now();
      const { version } = remote;
      await insertRendered(context.db, { ...renderContext, version, entries }, { lost, at });
      return entries.length;
    } catch (error) {
      if (options.skipsBroken && isBroken(error)) return 0;
      throw error;
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

export async function isRendered(
  context: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  options: RenderOptions = {},
): Promise<boolean> {
  return (await findMissing(context, set, config, options)).jobs.length === 0;
}

interface Missing {
  renderContext: RenderContext;
  lost: ReadonlySet<string>;
  jobs: RenderJob[];
}

async function findMissing(
  context: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  options: RenderOptions,
): Promise<Missing> {
  const renderContext = { shellVersion: shell.version, configDigest: digest(config) };
  const known = await findRenderedPages(context, { shell, remotes }, config);
  const lost = await findLost(context, known, options);
  const there = known.filter(({ integrity }) => !lost.has(integrity));
  const rendered = new Set(there.map(({ app, path, variantKey: key }) => `${app} ${path} ${key}`));
  const isMissing = (app: string, page: PageEntry) =>
    variantChoices(page.variants).some(
      (choice) => !rendered.has(`${app} ${page.path} ${variantKey(choice)}`),
    );
  const jobs = remotes
    .map((remote) => {
      const pages = remote.pages.filter((page) => isMissing(remote.app, page));
      return renderJob(remote, pages, options.unproven?.includes(remote.app));
    })
    .filter(({ pages }) => pages.length > 0);
  return { renderContext, lost, jobs };
}

function renderJob(remote: RemoteManifest, pages: PageEntry[], isUnproven: boolean = false): RenderJob {
  return { remote, pages, refuse: isUnproven ? refuseUndeclaredForms.bind(null, remote) : undefined };
}

async function findLost(
  { store }: RegistryContext,
  known: readonly RenderedEntry[],
  { looksForEach = false, storeMayBeAway: mayBeAway = false }: RenderOptions,
): Promise<Set<string>> {
  const packs = looksForEach ? [] : known.map(({ pack }) => pack).filter((pack) => pack !== null);
  const lostPacks = await store.missing(packs, { mayBeAway });
  const packed = new Set(packs.filter((pack) => !lostPacks.has(pack)));
  const alone = known.filter(({ pack }) => pack === null || !packed.has(pack));
  return store.missing(
    alone.map(({ integrity }) => integrity),
    { mayBeAway },
  );
}

export interface RenderedSet {
  context: RenderContext;
  remotes: { version: string; entries: RenderedEntry[] }[];
}

/**
 * Renders all pages of the set, since the index may have other contents under the name of `unrecorded`. They are saved
 * with the version.
 * @throws as `renderMissing`; ApiError `forms_unmet` only for the unrecorded version: a shell is not blamed for live
 * remotes.
 */
export async function renderUnrecorded(
  context: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  unrecorded: VersionManifest,
): Promise<RenderedSet> {
  const jobs = remotes.map((remote) => renderJob(remote, remote.pages, remote === unrecorded));
  return {
    context: { shellVersion: shell.version, configDigest: digest(config) },
    remotes: await renderJobs(context, { shell, config }, jobs, async ({ version }, render) => ({
      version,
      entries: await render(),
    })),
  };
}

function isBroken(error: unknown): boolean {
  return error instanceof ApiError && ['page_not_rendered', 'blob_missing'].includes(error.code);
}
