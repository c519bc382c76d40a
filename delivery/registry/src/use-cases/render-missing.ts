import { availableParallelism } from 'node:os';
import { integrityOf } from '@site/artifacts/integrity';
import { ComposeError } from '@site/composer/compose-error';
import type { ComposedPage } from '@site/composer/create-composer';
import {
  variantChoices,
  variantKey,
  type FileEntry,
  type PageEntry,
  type RemoteManifest,
  type SiteConfig,
} from '@site/contract';
import { ApiError } from '@site/server/api-error';
import {
  findRendered,
  insertRendered,
  type RenderContext,
  type RenderedEntry,
} from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import type { RegistryContext } from './context.ts';
import { inParallel } from './in-parallel.ts';
import type { ReleaseSet } from './release-set.ts';

export interface RenderOptions {
  /** Whose rendered pages are looked for in the store; of other apps the index is believed. Default: everyone's. */
  looksFor?: (app: string) => boolean;
  /** Believes the index when the store does not answer. */
  storeMayBeAway?: boolean;
  /** Leaves out a remote that cannot be rendered, instead of failing. */
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
  const renderContext = { shellVersion: shell.version, configDigest: digest(config) };
  const known = await findRendered(
    context.db,
    renderContext,
    Object.fromEntries(remotes.map(({ app, version }) => [app, version])),
  );
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
  if (jobs.length === 0) return 0;

  const shellBundle = await serverBundle(context, 'shell', shell.server);
  const counts = await inParallel(availableParallelism(), jobs, ({ remote, pages }) =>
    renderRemote(context, renderContext, { remote, pages, shellBundle, config, lost }).catch(
      (error: unknown) => {
        if (options.skipsBroken && isBroken(error)) return 0;
        throw error;
      },
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

interface RemoteJob {
  remote: RemoteManifest;
  pages: PageEntry[];
  shellBundle: Buffer;
  config: SiteConfig;
  /** Rendered pages that are in the index but not in the store. */
  lost: ReadonlySet<string>;
}

function findLost(
  { store }: RegistryContext,
  known: readonly RenderedEntry[],
  { looksFor = () => true, storeMayBeAway = false }: RenderOptions,
): Promise<Set<string>> {
  const wanted = known.filter(({ app }) => looksFor(app)).map(({ integrity }) => integrity);
  return store.missing(wanted, { mayBeAway: storeMayBeAway });
}

async function renderRemote(
  context: RegistryContext,
  renderContext: RenderContext,
  { remote, pages, shellBundle, config, lost }: RemoteJob,
): Promise<number> {
  const composed = await context.composer
    .compose({
      app: remote.app,
      shell: shellBundle,
      remote: await serverBundle(context, remote.app, remote.server),
      config,
      pages: pages.map(({ path, module, variants }) => ({ path, module, variants })),
    })
    .catch((error: unknown) => {
      throw explain(error, remote);
    });
  const entries = await Promise.all(composed.map((page) => storePage(context, remote.app, page)));
  await insertRendered(context.db, renderContext, remote.version, entries, { lost, at: context.now() });
  return entries.length;
}

async function storePage(
  { store }: RegistryContext,
  app: string,
  { path, variantKey: key, page }: ComposedPage,
) {
  const bytes = Buffer.from(JSON.stringify({ head: page.head, html: page.html }));
  const integrity = integrityOf(bytes);
  await store.put(integrity, bytes, { served: false });
  return { app, path, variantKey: key, integrity };
}

async function serverBundle({ store }: RegistryContext, app: string, file: FileEntry): Promise<Buffer> {
  const bytes = await store.get(file.integrity);
  if (!bytes) throw registryErrors.blob_missing(`The server bundle of ${app} (${file.integrity}) is gone.`);
  // It is about to be run: bytes that were damaged in the store, or changed there, are not.
  if (integrityOf(bytes) !== file.integrity) {
    throw registryErrors.blob_missing(
      `The server bundle of ${app} (${file.integrity}) is damaged in the store. Delete that file and publish again.`,
    );
  }
  return bytes;
}

/** The fault of the version, which trying again would not mend. */
function isBroken(error: unknown): boolean {
  return error instanceof ApiError && ['page_not_rendered', 'blob_missing'].includes(error.code);
}

function explain(error: unknown, { app, version }: RemoteManifest): unknown {
  if (!(error instanceof ComposeError)) return error;
  const where = `${app}@${version}: ${error.message}`;
  return error.code === 'compose_unavailable'
    ? registryErrors.composer_unavailable(where, { cause: error })
    : registryErrors.page_not_rendered(`${where} (${error.code}).`, { cause: error });
}
