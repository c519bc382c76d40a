import type { Packed } from '@site/artifacts/pack';
import { integrityOf } from '@site/contract/integrity-of';
import { ComposeError } from '@site/composer/compose-error';
import type { ComposedPage } from '@site/composer/create-composer';
import {
  variantChoices,
  variantKey,
  type FileEntry,
  type PageEntry,
  type RemoteManifest,
  type ShellManifest,
  type SiteConfig,
} from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { inParallel } from '@site/server/in-parallel';
import {
  findRendered,
  insertRendered,
  noteWeights,
  type RenderContext,
  type RenderedEntry,
} from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { RegistryContext } from './context.ts';
import { putPack } from './pack-files.ts';
import type { ReleaseSet } from './release-set.ts';

export interface RenderOptions {
  /**
   * Looks for each page by itself. Default: a page is there as long as its pack is, for that is what edges read. To be asked for
   * where the store is repaired.
   */
  looksForEach?: boolean;
  /** Believes the index when the store does not answer. */
  storeMayBeAway?: boolean;
  /** Leaves out what cannot be rendered, instead of failing. */
  skipsBroken?: boolean;
}

/**
 * Renders the pages of a set that the index lacks or whose file the store has lost, and only those.
 *
 * @returns how many pages (each variant counts) were rendered.
 * @throws ApiError `page_not_rendered` that names the page, `composer_unavailable`, `blob_missing`.
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

/** The pages of a set that are rendered, each with the file that it is in. */
export function findRenderedOf(
  { db }: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  options: { withWeights?: boolean } = {},
): Promise<RenderedEntry[]> {
  const versions = Object.fromEntries(remotes.map(({ app, version }) => [app, version]));
  const renderContext = { shellVersion: shell.version, configDigest: digest(config) };
  return findRendered(db, renderContext, versions, options);
}

/** Keeps what the pages of a set were found to weigh. */
export async function noteWeightsOf(
  { db }: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
  weighed: readonly RenderedEntry[],
): Promise<void> {
  const versions = Object.fromEntries(remotes.map(({ app, version }) => [app, version]));
  await noteWeights(db, { shellVersion: shell.version, configDigest: digest(config) }, versions, weighed);
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
    .map((remote) => ({ remote, pages: remote.pages.filter((page) => isMissing(remote.app, page)) }))
    .filter(({ pages }) => pages.length > 0);
  return { renderContext, lost, jobs };
}

/** Rendered pages that are in the store, but not in the index. */
export interface RenderedSet {
  context: RenderContext;
  remotes: { version: string; entries: RenderedEntry[] }[];
}

/**
 * Renders all pages of a set one of whose versions is not recorded: what the index has under its name may be of other
 * contents. The result is saved in the index together with the version.
 *
 * @throws as `renderMissing`.
 */
export async function renderUnrecorded(
  context: RegistryContext,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
): Promise<RenderedSet> {
  const jobs = remotes.map((remote) => ({ remote, pages: remote.pages }));
  return {
    context: { shellVersion: shell.version, configDigest: digest(config) },
    remotes: await renderJobs(context, { shell, config }, jobs, async ({ version }, render) => ({
      version,
      entries: await render(),
    })),
  };
}

interface RenderJob {
  remote: RemoteManifest;
  pages: PageEntry[];
}

/** How many bundles are in memory for one request. How many are rendered at once is the composer's to say. */
const JOBS_AT_ONCE = 4;

/** Goes through the jobs, a few at a time; `each` renders one. */
async function renderJobs<T>(
  context: RegistryContext,
  { shell, config }: { shell: ShellManifest; config: SiteConfig },
  jobs: readonly RenderJob[],
  each: (remote: RemoteManifest, render: () => Promise<RenderedEntry[]>) => Promise<T>,
): Promise<T[]> {
  if (jobs.length === 0) return [];
  const shellBundle = serverBundle(context, 'shell', shell.server);
  return inParallel(JOBS_AT_ONCE, jobs, (job) =>
    each(job.remote, async () => renderRemote(context, job, await shellBundle, config)),
  );
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

async function renderRemote(
  context: RegistryContext,
  { remote, pages }: RenderJob,
  shell: Buffer,
  config: SiteConfig,
): Promise<RenderedEntry[]> {
  const composed = await context.composer
    .compose({
      app: remote.app,
      shell,
      remote: await serverBundle(context, remote.app, remote.server),
      config,
      pages: pages.map(({ path, module, variants }) => ({ path, module, variants })),
    })
    .catch((error: unknown) => {
      throw explain(error, remote);
    });
  const { store } = context;
  const blobs = composed.map(bytesOf);
  await inParallel(16, blobs, ({ integrity, bytes }) => store.put(integrity, bytes));
  const pack = await putPack(store, blobs);
  return composed.map(({ path, variantKey: key }, index) => {
    const { integrity = '' } = blobs[index] ?? {};
    const isPacked = pack?.holds.has(integrity) === true;
    return {
      ...{ app: remote.app, path, variantKey: key, integrity },
      pack: isPacked ? pack.integrity : null,
      weight: null,
    };
  });
}

function bytesOf({ page: { head, html, sections } }: ComposedPage): Packed {
  const bytes = Buffer.from(JSON.stringify({ head, html, sections }));
  return { integrity: integrityOf(bytes), isBrotli: false, bytes };
}

async function serverBundle({ store }: RegistryContext, app: string, file: FileEntry): Promise<Buffer> {
  const bytes = await store.get(file.integrity);
  if (!bytes) throw registryErrors.blob_missing(`The server bundle of ${app} (${file.integrity}) is gone.`);
  // It is about to be run: bytes that were damaged in the store, or changed there, are not.
  if (integrityOf(bytes) !== file.integrity) {
    await store.markDamaged([file.integrity]);
    throw registryErrors.blob_missing(
      `The server bundle of ${app} (${file.integrity}) is damaged in the store. Publish that version of ${app} again.`,
    );
  }
  return bytes;
}

/** The fault of the version, which trying again would not fix. */
function isBroken(error: unknown): boolean {
  return error instanceof ApiError && ['page_not_rendered', 'blob_missing'].includes(error.code);
}

function explain(error: unknown, { app, version }: RemoteManifest): unknown {
  if (!(error instanceof ComposeError)) return error;
  const where = `${app}@${version}: ${error.app === app ? error.detail : error.message}`;
  if (error.code === 'compose_busy') {
    return registryErrors.composer_busy(where, { cause: error, headers: { 'retry-after': '10' } });
  }
  return error.code === 'compose_unavailable'
    ? registryErrors.composer_unavailable(where, { cause: error })
    : registryErrors.page_not_rendered(`${where} (${error.code}).`, { cause: error });
}
