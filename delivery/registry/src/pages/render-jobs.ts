import type { Packed } from '@site/artifacts/pack';
import { computeIntegrity } from '@site/contract/integrity';
import { ComposeError } from '@site/composer/compose-error';
import { traced } from '@site/contract/tracing';
import type { ComposedPage } from '@site/composer/create-composer';
import type { FileEntry, PageEntry, RemoteManifest, ShellManifest, SiteConfig } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import type { RenderedEntry } from './rendered-page.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { putPack } from '../versions/index.ts';

export interface RenderJob {
  remote: RemoteManifest;
  pages: PageEntry[];
  /** Throws for a rejected page, before any is stored. */
  refuse?: ((page: ComposedPage) => void) | undefined;
}

/** Bundles in memory per request. The composer limits concurrent rendering. */
const JOBS_AT_ONCE = 4;

export async function renderJobs<T>(
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

async function renderRemote(
  context: RegistryContext,
  { remote, pages, refuse }: RenderJob,
  shell: Buffer,
  config: SiteConfig,
): Promise<RenderedEntry[]> {
  const request = {
    app: remote.app,
    shell,
    remote: await serverBundle(context, remote.app, remote.server),
    config,
    pages: pages.map(({ path, module, variants }) => ({ path, module, variants })),
  };
  const attributes = { 'site.app': remote.app, 'site.pages': pages.length };
  const composed = await traced({ name: 'compose', kind: 'client', attributes }, () =>
    context.composer.compose(request),
  ).catch((error: unknown) => {
    throw explain(error, remote);
  });
  if (refuse) composed.forEach(refuse);
  const { store } = context;
  const blobs = composed.map(packPage);
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

function packPage({ page: { head, html, sections } }: ComposedPage): Packed {
  const bytes = Buffer.from(JSON.stringify({ head, html, sections }));
  return { integrity: computeIntegrity(bytes), isBrotli: false, bytes };
}

async function serverBundle({ store }: RegistryContext, app: string, file: FileEntry): Promise<Buffer> {
  const bytes = await store.get(file.integrity);
  if (!bytes) throw registryErrors.blob_missing(`The server bundle of ${app} (${file.integrity}) is gone.`);
  // Verify code before running it: it may be damaged or manipulated in the store.
  if (computeIntegrity(bytes) !== file.integrity) {
    await store.markDamaged([file.integrity]);
    throw registryErrors.blob_missing(
      `The server bundle of ${app} (${file.integrity}) is damaged in the store. Publish that version of ${app} again.`,
    );
  }
  return bytes;
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
