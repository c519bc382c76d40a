import {
  assetUrl,
  setId,
  type ReleaseDocument,
  type TableAnswer,
  type VersionManifest,
} from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import {
  createBootData,
  createTable,
  listScripts,
  takeApart,
  type DevRemote,
  type ReleaseParts,
} from '@site/documents/boot-data';
import { refuseLargeTable } from '@site/documents/document-limits';
import { retiredAddresses } from '../pages/retired-addresses.ts';
import { excludesCrawlers, siteTexts } from '../pages/site-texts.ts';
import { compressBody, type EncodedBody } from '@site/server/encoded-body';
import { assetContentType, rootContentType } from '@site/server/content-type';
import { loadBody, type BlobReader } from '../files/load-blob.ts';
import { onDemand, type OnDemand } from '@site/server/on-demand';
import { unpackOnce } from '../files/unpack.ts';
import { ReleaseError } from '@site/documents/release-error';
import type { Asset, ServedFile } from '../files/served-file.ts';
import { loadGonePage } from './gone-page.ts';
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts';
import type { LoadedRelease } from './loaded-release.ts';
import { requireAsset, loadPages } from './load-pages.ts';

export interface LoadOptions {
  known?: LoadedRelease[];
  banner?: string;
  dev?: DevRemote;
}

const PARALLEL_READS = 16;

/**
 * Verifies every file and every rendered page against its hash before the first visitor sees any of it. @throws
 * ReleaseError if anything that the release references is missing, damaged or contradictory.
 */
export async function loadRelease(
  document: ReleaseDocument,
  store: BlobReader,
  options: LoadOptions = {},
): Promise<LoadedRelease> {
  const parts = takeApart(document);
  const packs = new Set<string>();
  const assets = await loadAssets({ document, parts, store, known: options.known ?? [], packs });
  const { banner = null, dev = null } = options;
  const retired = retiredAddresses(document.release, parts, dev?.app);
  const table = createTable(parts, dev, retired);
  refuseLargeTable(document, table);
  const boot = createBootData(document, table, listScripts(parts.shell), { dev, banner });
  const known = options.known ?? [];
  const loaded = await loadPages({ document, parts, assets, store, known, packs, boot, banner, dev });
  const redirects = new Map(table.redirects.map((redirect) => [redirect.from, redirect]));
  const home = redirects.get('/')?.to ?? null;
  const { renderings } = loaded;
  const release = {
    id: setId(document),
    document,
    ...loaded,
    table: onDemand(() =>
      compressBody(
        JSON.stringify({ release: setId(document), frame: boot.frame, ...table } satisfies TableAnswer),
      ),
    ),
    redirects,
    gone: new Set(retired.gone),
    gonePage:
      retired.gone.length > 0
        ? loadGonePage({ document, parts, assets, boot, banner, renderings, home })
        : null,
    assets,
    packs,
    search: startIndexing(loaded.pages, parts, banner !== null),
    unlisted: excludesCrawlers(document.release.config),
  };
  return { ...release, rootFiles: await loadRootFiles(release, parts) };
}

/**
 * Indexing starts immediately in the background, and the first search waits for it. A preview is indexed on its first
 * search: there are many previews, and few are searched.
 */
function startIndexing(
  pages: LoadedRelease['pages'],
  { remotes }: ReleaseParts,
  isPreview: boolean,
): OnDemand<SearchIndex> {
  const searchable = remotes.flatMap(({ app, pages: declared }) =>
    declared.flatMap(({ path }) => {
      const page = pages.get(path);
      return page ? [{ app, listed: page.listed, sections: page.sections }] : [];
    }),
  );
  const search = onDemand(() => createSearchIndex(searchable));
  // The search that waits for it reports the error.
  if (!isPreview) void Promise.resolve(search()).catch(() => undefined);
  return search;
}

async function loadRootFiles(
  { document, assets, pages, redirects }: Omit<LoadedRelease, 'rootFiles'>,
  { shell }: ReleaseParts,
): Promise<Map<string, ServedFile>> {
  const files = new Map<string, ServedFile>(
    Object.entries(shell.document.rootFiles).map(([name, path]) => [
      `/${name}`,
      { ...requireAsset(assets, 'shell', path), contentType: rootContentType(name) },
    ]),
  );
  const shipped = new Map(
    [...files].map(([path, { body }]) => [path, body.identity.toString('utf8')] as const),
  );
  const listed = [...pages.values()].map((page) => page.listed);
  const home = redirects.get('/')?.to ?? null;
  for (const [path, text] of siteTexts({ release: document.release, pages: listed, home, shipped })) {
    files.set(path, { contentType: rootContentType(path), body: await compressBody(text) });
  }
  return files;
}

interface AssetSources {
  document: ReleaseDocument;
  parts: ReleaseParts;
  store: BlobReader;
  known: LoadedRelease[];
  packs: Set<string>;
}

async function loadAssets({ document, parts, store, ...more }: AssetSources): Promise<Map<string, Asset>> {
  const { shell, remotes, lastGood } = parts;
  const known = new Map<string, EncodedBody>();
  for (const release of more.known)
    for (const { integrity, body } of release.assets.values()) known.set(integrity, body);
  const files = new Map<string, { integrity: string; size: number; keys: string[] }>();
  const manifests: VersionManifest[] = [shell, ...remotes, ...lastGood.values()];
  for (const { app, version, assets } of manifests) {
    for (const { path, integrity, size } of assets) {
      const url = assetUrl(app, path);
      const listed = files.get(url);
      if ((listed?.integrity ?? integrity) !== integrity) {
        throw new ReleaseError(`${document.release.id}: ${url} has two different contents.`);
      }
      files.set(url, { integrity, size, keys: [...(listed?.keys ?? []), `${app}@${version}`] });
    }
  }
  await inParallel(PARALLEL_READS, manifests, async ({ app, version, assets }) => {
    const pack = document.packs?.files[`${app}@${version}`];
    const packed = await unpackOnce(store, pack, more);
    if (!packed) return;
    for (const { path, integrity, size } of assets) {
      if (known.has(integrity)) continue;
      const body = await loadBody(packed, integrity, path, size).catch(() => null);
      if (body) known.set(integrity, body);
    }
  });
  const loaded = await inParallel(PARALLEL_READS, [...files], async ([url, { integrity, size, keys }]) => {
    const body = known.get(integrity) ?? (await loadBody(store, integrity, url, size));
    return [url, { contentType: assetContentType(url), integrity, body, keys }] as const;
  });
  return new Map(loaded);
}
