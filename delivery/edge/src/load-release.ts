import * as v from 'valibot';
import {
  assetUrl,
  RenderedPageSchema,
  variantChoices,
  variantKey,
  type PageEntry,
  type Redirect,
  type ReleaseDocument,
  type RemoteManifest,
  type RenderedPage,
  type VersionManifest,
  type Variants,
} from '@site/contract';
import { compressBody, type Body } from './body.ts';
import {
  createBootData,
  createTable,
  scriptsOf,
  takeApart,
  type DevRemote,
  type ReleaseBoot,
  type ReleaseParts,
} from './boot-data.ts';
import { assetTypeOf, rootTypeOf } from './content-type.ts';
import { keepsCrawlersAway } from './crawling.ts';
import { describeDocument } from './describe-document.ts';
import { createDocumentLimits, leastBytes, refuseLargeTable } from './document-limits.ts';
import { assembleDocument } from './document.ts';
import { inBatches } from './in-batches.ts';
import { preloadLinks } from './link-header.ts';
import { loadBody, loadBytes, type BlobReader } from './load-blob.ts';
import { readPageHead } from './page-head.ts';
import { ReleaseError } from './release-error.ts';
import type { TableFile } from './release-table.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { siteTexts, type ListedPage } from './site-texts.ts';

/** A file, ready to be sent. */
export interface ServedFile {
  contentType: string;
  body: Body;
}

/** A file under `/assets/`. */
export interface Asset extends ServedFile {
  integrity: string;
}

/** One page with one choice of its variants. */
export interface PageDocument {
  body: Body;
  csp: string;
  /** Every script that it loads carries its hash, and browsers are told to demand it. */
  hasIntegrity: boolean;
  /** `Link` header values: what the browser will need next. */
  links: string[];
}

export interface LivePage {
  variants: Variants | undefined;
  /** By `variantKey`. */
  documents: Map<string, PageDocument>;
  listed: ListedPage;
}

/** A release with everything that its visitors will ask for in memory. Never changes once it is made. */
export interface LiveRelease {
  id: string;
  document: ReleaseDocument;
  pages: Map<string, LivePage>;
  /** Declared redirects by `from`, including `/` and `*`. */
  redirects: Map<string, Redirect>;
  /** By URL path. */
  assets: Map<string, Asset>;
  /** By URL path. */
  rootFiles: Map<string, ServedFile>;
  /** Search engines are told not to list anything. */
  unlisted: boolean;
}

export interface LoadOptions {
  /** Releases in memory already: what they have in common with this one is not read again. */
  known?: LiveRelease[];
  /** Marks every document as a preview, with these words. */
  banner?: string;
  /** Takes one remote from a developer's machine. */
  dev?: DevRemote;
  /** A larger table of remotes, routes and redirects is a file of its own. In bytes; 8 KB by default. */
  inlineTableBytes?: number | undefined;
}

const parallelReads = 16;

/**
 * Loads a release: every file is read and checked against its hash, and every document is put together and compressed,
 * before the first visitor sees any of it.
 *
 * @throws ReleaseError when something that the release names is missing, damaged or contradictory.
 */
export async function loadRelease(
  document: ReleaseDocument,
  store: BlobReader,
  options: LoadOptions = {},
): Promise<LiveRelease> {
  const parts = takeApart(document);
  const assets = await loadAssets(document, parts, store, options.known ?? []);
  const boot = createBootData(
    document,
    createTable(parts, options.dev),
    scriptsOf(parts.shell),
    options.inlineTableBytes,
  );
  const pages = await loadPages(document, parts, assets, store, boot, options);
  if (boot.file) {
    refuseLargeTable(document, boot.file);
    assets.set(boot.file.url, await tableAsset(boot.file));
  }
  const redirects = redirectTable(parts);
  return {
    id: document.release.id,
    document,
    pages,
    redirects,
    assets,
    rootFiles: await loadRootFiles(document, parts, assets, pages, redirects),
    unlisted: keepsCrawlersAway(document.release.config),
  };
}

/** A table as it is sent. */
export async function tableAsset({ url, integrity, bytes }: TableFile): Promise<Asset> {
  return { contentType: assetTypeOf(url), integrity, body: await compressBody(bytes) };
}

/** What the shell ships, and the texts that follow from the release. */
async function loadRootFiles(
  { release }: ReleaseDocument,
  { shell }: ReleaseParts,
  assets: Map<string, Asset>,
  pages: Map<string, LivePage>,
  redirects: Map<string, Redirect>,
): Promise<Map<string, ServedFile>> {
  const files = new Map<string, ServedFile>(
    Object.entries(shell.document.rootFiles).map(([name, path]) => [
      `/${name}`,
      { ...assetOf(assets, 'shell', path), contentType: rootTypeOf(name) },
    ]),
  );
  const securityTxt = files.get('/security.txt')?.body.identity.toString('utf8') ?? null;
  const listed = [...pages.values()].map((page) => page.listed);
  const home = redirects.get('/')?.to ?? null;
  for (const [path, text] of siteTexts({ release, pages: listed, home, securityTxt })) {
    files.set(path, { contentType: rootTypeOf(path), body: await compressBody(text) });
  }
  return files;
}

async function loadAssets(
  document: ReleaseDocument,
  { shell, remotes, lastGood }: ReleaseParts,
  store: BlobReader,
  releases: LiveRelease[],
): Promise<Map<string, Asset>> {
  const known = new Map<string, Body>();
  for (const release of releases)
    for (const { integrity, body } of release.assets.values()) known.set(integrity, body);
  const files = new Map<string, string>();
  const manifests: VersionManifest[] = [shell, ...remotes, ...lastGood.values()];
  for (const { app, assets } of manifests) {
    for (const { path, integrity } of assets) {
      const url = assetUrl(app, path);
      if ((files.get(url) ?? integrity) !== integrity) {
        throw new ReleaseError(`${document.release.id}: ${url} has two different contents.`);
      }
      files.set(url, integrity);
    }
  }
  const loaded = await inBatches([...files], parallelReads, async ([url, integrity]) => {
    const body = known.get(integrity) ?? (await loadBody(store, integrity, url));
    return [url, { contentType: assetTypeOf(url), integrity, body }] as const;
  });
  return new Map(loaded);
}

async function loadPages(
  document: ReleaseDocument,
  parts: ReleaseParts,
  assets: Map<string, Asset>,
  store: BlobReader,
  boot: ReleaseBoot,
  { banner, dev }: LoadOptions,
): Promise<Map<string, LivePage>> {
  const pages = new Map<string, LivePage>();
  const jobs: { remote: RemoteManifest; page: PageEntry; live: LivePage }[] = [];
  for (const remote of parts.remotes) {
    for (const page of remote.pages) {
      if (pages.has(page.path))
        throw new ReleaseError(`${document.release.id}: two remotes own ${page.path}.`);
      const live: LivePage = {
        variants: page.variants,
        documents: new Map(),
        listed: { path: page.path, builtAt: remote.builtAt, title: null, description: null, siteName: null },
      };
      pages.set(page.path, live);
      jobs.push({ remote, page, live });
    }
  }
  const limits = createDocumentLimits();
  await inBatches(jobs, parallelReads, async ({ remote, page, live }) => {
    const isDev = remote.app === dev?.app;
    for (const choice of variantChoices(page.variants)) {
      const key = variantKey(choice);
      const integrity = isDev ? undefined : document.rendered[page.path]?.[key];
      // Not rendered ahead of time: the shell renders the page itself.
      const rendered = integrity ? await loadRendered(store, integrity, page.path, key) : null;
      if (rendered) live.listed = { ...live.listed, ...readPageHead(rendered.head) };
      const described = describeDocument({
        shell: parts.shell,
        remote,
        page,
        filesFromElsewhere: isDev,
        textOf: (app, path) => assetOf(assets, app, path).body.identity.toString('utf8'),
        origin: document.release.config.origin,
        rendered,
        boot: boot.of(remote.app, page.path, rendered !== null, choice),
        banner: banner ?? null,
      });
      limits.check(remote, page, leastBytes(described));
      const { html, inline } = assembleDocument(described);
      limits.add(remote, page, Buffer.byteLength(html));
      live.documents.set(key, {
        body: await compressBody(html),
        csp: contentSecurityPolicy(document.release.config, inline, dev?.origin),
        hasIntegrity: dev === undefined,
        links: preloadLinks(described),
      });
    }
  });
  return pages;
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

function redirectTable({ remotes }: ReleaseParts): Map<string, Redirect> {
  return new Map(remotes.flatMap(({ redirects }) => redirects).map((redirect) => [redirect.from, redirect]));
}

function assetOf(assets: Map<string, Asset>, app: string, path: string): Asset {
  const asset = assets.get(assetUrl(app, path));
  if (!asset) throw new ReleaseError(`The manifest of ${app} names ${path}, which is not among its assets.`);
  return asset;
}
