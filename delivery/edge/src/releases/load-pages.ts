import * as v from 'valibot';
import {
  assetUrl,
  RenderedPageSchema,
  variantChoices,
  variantKey,
  type PageEntry,
  type ReleaseDocument,
  type RemoteManifest,
  type RenderedPage,
} from '@site/contract';
import { inParallel } from '@site/server/in-parallel';
import type { DevRemote, ReleaseBoot, ReleaseParts } from '../documents/boot-data.ts';
import { contentSecurityPolicy } from '../documents/content-security-policy.ts';
import { describeDocument } from '../documents/describe-document.ts';
import { createDocumentLimits, leastBytes, type DocumentLimits } from '../documents/document-limits.ts';
import { assembleDocument } from '../documents/document.ts';
import { preloadLinks } from '../documents/link-header.ts';
import { readPageHead } from '../documents/page-head.ts';
import { compressBody } from '../files/body.ts';
import { loadBytes, type BlobReader } from '../files/load-blob.ts';
import { ReleaseError } from '../files/release-error.ts';
import type { Asset } from '../files/served-file.ts';
import type { ServedPage, PageDocument } from './loaded-release.ts';

/** What the pages of a release are made from. */
export interface PageSources {
  document: ReleaseDocument;
  parts: ReleaseParts;
  /** Every file of the release, by URL path. */
  assets: Map<string, Asset>;
  store: BlobReader;
  boot: ReleaseBoot;
  /** As given to `loadRelease`. */
  banner: string | null;
  dev: DevRemote | null;
}

/** One page of one remote, with what it becomes. */
interface PageJob {
  remote: RemoteManifest;
  page: PageEntry;
  loaded: ServedPage;
}

/** So many pages are put together at a time. */
const PARALLEL_PAGES = 16;

/**
 * Puts every document of a release together, and compresses it.
 *
 * @throws ReleaseError when two remotes own a page, or a page cannot be put together.
 */
export async function loadPages(sources: PageSources): Promise<Map<string, ServedPage>> {
  const jobs = sources.parts.remotes.flatMap((remote) =>
    remote.pages.map((page): PageJob => ({ remote, page, loaded: emptyPage(remote, page) })),
  );
  const pages = new Map<string, ServedPage>();
  for (const { page, loaded } of jobs) {
    if (pages.has(page.path))
      throw new ReleaseError(`${sources.document.release.id}: two remotes own ${page.path}.`);
    pages.set(page.path, loaded);
  }
  const limits = createDocumentLimits();
  await inParallel(PARALLEL_PAGES, jobs, (job) => loadPage(sources, limits, job));
  return pages;
}

function emptyPage({ builtAt }: RemoteManifest, { path, variants }: PageEntry): ServedPage {
  return {
    variants,
    documents: new Map(),
    listed: { path, builtAt, title: null, description: null, siteName: null },
  };
}

async function loadPage(
  sources: PageSources,
  limits: DocumentLimits,
  { remote, page, loaded }: PageJob,
): Promise<void> {
  const { document, store, dev } = sources;
  const isDev = remote.app === dev?.app;
  for (const choice of variantChoices(page.variants)) {
    const key = variantKey(choice);
    const integrity = isDev ? undefined : document.rendered[page.path]?.[key];
    // Not rendered ahead of time: the shell renders the page itself.
    const rendered = integrity ? await loadRendered(store, integrity, page.path, key) : null;
    if (rendered) loaded.listed = { ...loaded.listed, ...readPageHead(rendered.head) };
    const described = describeDocument({
      shell: sources.parts.shell,
      remote,
      page,
      filesFromElsewhere: isDev,
      textOf: (app, path) => assetOf(sources.assets, app, path).body.identity.toString('utf8'),
      origin: document.release.config.origin,
      rendered,
      boot: sources.boot.of(remote.app, page.path, rendered !== null, choice),
      banner: sources.banner,
    });
    limits.check(remote, page, leastBytes(described));
    const { html, inline } = assembleDocument(described);
    limits.add(remote, page, Buffer.byteLength(html));
    const made: PageDocument = {
      body: await compressBody(html),
      csp: contentSecurityPolicy(document.release.config, inline, dev?.origin),
      hasIntegrity: dev === null,
      links: preloadLinks(described),
    };
    loaded.documents.set(key, made);
  }
}

async function loadRendered(
  store: BlobReader,
  integrity: string,
  path: string,
  key: string,
): Promise<RenderedPage> {
  const what = `the rendered page ${path}${key ? ` with ${key}` : ''}`;
  const bytes = await loadBytes(store, integrity, what);
  try {
    return v.parse(RenderedPageSchema, JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new ReleaseError(`The store's ${what} (${integrity}) is not a rendered page.`, { cause });
  }
}

/** @throws ReleaseError when the release has no such file. */
export function assetOf(assets: Map<string, Asset>, app: string, path: string): Asset {
  const asset = assets.get(assetUrl(app, path));
  if (!asset) throw new ReleaseError(`The manifest of ${app} names ${path}, which is not among its assets.`);
  return asset;
}
