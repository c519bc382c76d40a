import * as v from 'valibot';
import {
  assetUrl,
  RenderedPageSchema,
  variantChoices,
  variantKey,
  type PageEntry,
  type ReleaseDocument,
  type RemoteManifest,
  type VariantChoice,
} from '@site/contract';
import { cacheKeys } from '@site/contract/cache-keys';
import { inParallel } from '@site/contract/in-parallel';
import type { DevRemote, ReleaseBoot, ReleaseParts } from '@site/documents/boot-data';
import { contentSecurityPolicy } from '@site/documents/content-security-policy';
import { createDocumentLimits, type DocumentLimits } from '@site/documents/document-limits';
import { assembleDocument, describeDocument, inlineScriptText, preloadLinks } from '@site/documents/document';
import { readPageHead } from '../pages/page-head.ts';
import { compressBody } from '@site/server/encoded-body';
import { loadBytes, type BlobReader } from '../files/load-blob.ts';
import { unpackOnce } from '../files/unpack.ts';
import { onDemand } from '@site/server/on-demand';
import { ReleaseError } from '@site/documents/release-error';
import type { Asset } from '../files/served-file.ts';
import type { LoadedRelease, PageDocument, Rendering, ServedPage } from './loaded-release.ts';

export interface PageSources {
  document: ReleaseDocument;
  parts: ReleaseParts;
  assets: Map<string, Asset>;
  store: BlobReader;
  /** Their rendered pages are not read again. */
  known: readonly LoadedRelease[];
  packs: Set<string>;
  boot: ReleaseBoot;
  banner: string | null;
  dev: DevRemote | null;
}

interface PageJob {
  remote: RemoteManifest;
  page: PageEntry;
  loaded: ServedPage;
}

const PARALLEL_PAGES = 16;

/**
 * Reads and verifies everything that the documents need. Documents are assembled on first request: every release
 * changes all of them, and most are rarely visited. @throws ReleaseError if two remotes own a page, or a page could
 * not be assembled.
 */
export async function loadPages(
  sources: PageSources,
): Promise<Pick<LoadedRelease, 'pages' | 'renderings' | 'unpublished'>> {
  const { parts, document } = sources;
  const jobs = parts.remotes.flatMap((remote) =>
    remote.pages.map((page): PageJob => ({ remote, page, loaded: emptyPage(remote, page) })),
  );
  const pages = new Map<string, ServedPage>();
  for (const { page, loaded } of jobs) {
    if (pages.has(page.path)) throw new ReleaseError(`${document.release.id}: two remotes own ${page.path}.`);
    pages.set(page.path, loaded);
  }
  const { shell } = parts;
  for (const path of shell.document.inlineScripts) inlineScriptText(assetText(sources, 'shell', path));
  for (const path of [shell.entry, ...shell.document.css]) requireAsset(sources.assets, 'shell', path);
  const limits = createDocumentLimits();
  const renderings = await loadPacked(sources);
  await inParallel(PARALLEL_PAGES, jobs, (job) => loadPage(sources, limits, renderings, job));
  return { pages, renderings, unpublished: unpublishedPages(sources, jobs) };
}

/**
 * One document for all pages that only the developer's machine knows. It contains nothing of a version, so it can be
 * built from any app's page; the developer's app may not be live.
 */
function unpublishedPages(sources: PageSources, [first]: readonly PageJob[]): LoadedRelease['unpublished'] {
  const { dev } = sources;
  if (!dev || !first) return null;
  const remote = { ...first.remote, app: dev.app };
  const page = { ...first.page, card: undefined };
  return onDemand(() => makeDocument(sources, { remote, page, choice: {}, rendering: null }));
}

async function loadPacked(sources: PageSources): Promise<Map<string, Rendering>> {
  const { document, parts, store, dev } = sources;
  const renderings = new Map<string, Rendering>();
  const jobs = parts.remotes
    .filter(({ app }) => app !== dev?.app)
    .flatMap((remote) => (document.packs?.pages[remote.app] ?? []).map((pack) => ({ remote, pack })));
  await inParallel(PARALLEL_PAGES, jobs, async ({ remote, pack }) => {
    const packed = await unpackOnce(store, pack, sources);
    if (!packed) return;
    for (const { path } of remote.pages) {
      for (const [key, integrity] of Object.entries(document.rendered[path] ?? {})) {
        const rendering = await loadRendering(packed, { integrity, path, key }).catch(() => null);
        if (rendering) renderings.set(integrity, rendering);
      }
    }
  });
  return renderings;
}

function emptyPage({ app, builtAt }: RemoteManifest, { path, variants }: PageEntry): ServedPage {
  return {
    app,
    isRendered: true,
    variants,
    documents: new Map(),
    listed: { path, builtAt, title: null, description: null, siteName: null, isHidden: false },
    sections: [],
  };
}

async function loadPage(
  sources: PageSources,
  limits: DocumentLimits,
  renderings: Map<string, Rendering>,
  { remote, page, loaded }: PageJob,
): Promise<void> {
  const { document, assets, dev } = sources;
  const isDev = remote.app === dev?.app;
  if (!isDev) for (const path of [remote.entry, ...page.js]) requireAsset(assets, remote.app, path);
  const styles = isDev ? [] : page.css.map((path) => requireAsset(assets, remote.app, path));
  const shellStyles = sources.parts.shell.document.css.map((path) => requireAsset(assets, 'shell', path));
  const styleBytes = [...shellStyles, ...styles].reduce((sum, { body }) => sum + body.identity.length, 0);
  for (const choice of variantChoices(page.variants)) {
    const key = variantKey(choice);
    const integrity = isDev ? undefined : document.rendered[page.path]?.[key];
    const rendering = integrity
      ? await findRendering(sources, renderings, { integrity, path: page.path, key })
      : null;
    loaded.isRendered &&= rendering !== null;
    if (rendering) {
      loaded.listed = { ...loaded.listed, ...rendering.head };
      // The first variant of a page is the one that is indexed.
      if (loaded.sections.length === 0) loaded.sections = rendering.page.sections ?? [];
    }
    limits.add(remote, page, styleBytes + (rendering?.bytes ?? 0));
    loaded.documents.set(
      key,
      onDemand(() => makeDocument(sources, { remote, page, choice, rendering })),
    );
  }
}

interface DocumentSource {
  remote: RemoteManifest;
  page: PageEntry;
  choice: VariantChoice;
  rendering: Rendering | null;
}

async function makeDocument(
  sources: PageSources,
  { remote, page, choice, rendering }: DocumentSource,
): Promise<PageDocument> {
  const { document, parts, boot, banner, dev } = sources;
  const described = describeDocument({
    shell: parts.shell,
    remote,
    page,
    filesFromElsewhere: remote.app === dev?.app,
    assetText: (app, path) => assetText(sources, app, path),
    origin: document.release.config.origin,
    rendered: rendering?.page ?? null,
    boot: boot.of(remote.app, page.path, rendering !== null, choice),
    banner,
  });
  const { html, inline } = assembleDocument(described);
  return {
    body: await compressBody(html),
    csp: contentSecurityPolicy(document.release.config, inline, dev?.origin),
    hasIntegrity: dev === null,
    links: preloadLinks(described),
    keys: documentKeys(parts.shell, remote),
  };
}

export function documentKeys(...parts: { app: string; version: string }[]): string[] {
  return [...parts.flatMap(({ app, version }) => [app, `${app}@${version}`]), cacheKeys.config];
}

function assetText({ assets }: PageSources, app: string, path: string): string {
  return requireAsset(assets, app, path).body.identity.toString('utf8');
}

interface StoredRendering {
  integrity: string;
  path: string;
  /** See `variantKey`. */
  key: string;
}

async function findRendering(
  { store, known }: PageSources,
  renderings: Map<string, Rendering>,
  stored: StoredRendering,
): Promise<Rendering> {
  const { integrity } = stored;
  const shared = known.find((release) => release.renderings.has(integrity))?.renderings.get(integrity);
  const rendering = shared ?? renderings.get(integrity) ?? (await loadRendering(store, stored));
  renderings.set(integrity, rendering);
  return rendering;
}

async function loadRendering(
  store: BlobReader,
  { integrity, path, key }: StoredRendering,
): Promise<Rendering> {
  const what = `the rendered page ${path}${key ? ` with ${key}` : ''}`;
  const bytes = await loadBytes(store, integrity, what);
  try {
    const page = v.parse(RenderedPageSchema, JSON.parse(bytes.toString('utf8')));
    const size = Buffer.byteLength(page.head) + Buffer.byteLength(page.html);
    return { page, head: readPageHead(page.head), bytes: size };
  } catch (cause) {
    throw new ReleaseError(`The store's ${what} (${integrity}) is not a rendered page.`, { cause });
  }
}

export function requireAsset(assets: Map<string, Asset>, app: string, path: string): Asset {
  const asset = assets.get(assetUrl(app, path));
  if (!asset) throw new ReleaseError(`The manifest of ${app} names ${path}, which is not among its assets.`);
  return asset;
}
