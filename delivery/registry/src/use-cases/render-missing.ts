import {
  variantChoices,
  variantKey,
  type PageEntry,
  type RemoteManifest,
  type SiteConfig,
  type VersionManifest,
} from '@site/contract';
import { ApiError } from '@site/server/api-error';
import {
  insertRendered,
  type RenderContext,
  type RenderedEntry,
} from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { refuseUndeclaredForms } from './check-forms.ts';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';
import { renderJobs, type RenderJob } from './render-jobs.ts';
import { findRenderedOf } from './rendered-pages.ts';

export interface RenderOptions {
  /**
   * Looks for each page by itself. Default: a page is there as long as its pack is, for that is what edges read. To be asked for
   * where the store is repaired.
   */
  looksForEach?: boolean;
  /** Believes the index when the store does not answer. */
  storeMayBeAway?: boolean;
  /** The apps whose versions visitors do not have now: a form of theirs that nobody would get is refused (`refuseUndeclaredForms`). */
  unproven?: readonly string[];
  /** Leaves out what cannot be rendered, instead of failing. */
  skipsBroken?: boolean;
}

/**
 * Renders the pages of a set that the index lacks or whose file the store has lost, and only those.
 *
 * @returns how many pages (each variant counts) were rendered.
 * @throws ApiError `page_not_rendered` that names the page, `composer_unavailable`, `blob_missing`; `forms_unmet` of what is unproven.
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

/** Whether `renderMissing` would find nothing to do. */
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
  /** Rendered pages that are in the index but not in the store. */
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
  const known = await findRenderedOf(context, { shell, remotes }, config);
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
      return jobOf(remote, pages, options.unproven?.includes(remote.app));
    })
    .filter(({ pages }) => pages.length > 0);
  return { renderContext, lost, jobs };
}

function jobOf(remote: RemoteManifest, pages: PageEntry[], isUnproven: boolean = false): RenderJob {
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

/** Rendered pages that are in the store, but not in the index. */
export interface RenderedSet {
  context: RenderContext;
  remotes: { version: string; entries: RenderedEntry[] }[];
}

/**
 * Renders all pages of a set in which one version, `unrecorded`, is not recorded: what the index has under its name may be of
 * other contents. The result is saved in the index together with the version.
 *
 * @throws as `renderMissing`; ApiError `forms_unmet` for the unrecorded version, and no other: what is live is not held against a shell.
 */
export async function renderUnrecorded(
  context: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  unrecorded: VersionManifest,
): Promise<RenderedSet> {
  const jobs = remotes.map((remote) => jobOf(remote, remote.pages, remote === unrecorded));
  return {
    context: { shellVersion: shell.version, configDigest: digest(config) },
    remotes: await renderJobs(context, { shell, config }, jobs, async ({ version }, render) => ({
      version,
      entries: await render(),
    })),
  };
}

/** The fault of the version, which trying again would not fix. */
function isBroken(error: unknown): boolean {
  return error instanceof ApiError && ['page_not_rendered', 'blob_missing'].includes(error.code);
}
