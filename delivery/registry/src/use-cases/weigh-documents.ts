import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import {
  documentLimits,
  RenderedPageSchema,
  sizeBudgets,
  variantChoices,
  variantKey,
  versionLimits,
  type BootData,
  type PageEntry,
  type RemoteManifest,
  type RenderedPage,
  type ShellManifest,
  type SiteConfig,
  type VariantChoice,
} from '@site/contract';
import { brotliOf } from '@site/edge/files/body';
import { createBootData, createTable, scriptsOf, type ReleaseBoot } from '@site/edge/documents/boot-data';
import { describeDocument } from '@site/edge/documents/describe-document';
import { assembleDocument } from '@site/edge/documents/document';
import { leastBytes } from '@site/edge/documents/document-limits';
import { inParallel } from '@site/server/in-parallel';
import type { RenderedEntry } from '../database/rendered-page.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import type { BudgetCheck } from './check-budgets.ts';
import { compressInTurn } from './compressing.ts';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';

/** Documents that are in memory at once; those of one publish that wait to be compressed are as many. */
const AT_ONCE = 4;

/** The largest document of a page; bytes as it is, and as it travels (brotli). */
export interface WeighedDocument {
  path: string;
  bytes: number;
  sent: number;
}

interface Weighing {
  brotli: (bytes: Buffer) => Promise<Buffer>;
  store: ArtifactStore;
  shell: ShellManifest;
  config: SiteConfig;
  boot: ReleaseBoot;
  /** What stands inline in the documents, by app and path; read when a document has to be put together. */
  texts(): Promise<Map<string, string>>;
}

/** What is put together and weighed. */
export interface Weighed {
  /** Everything that is to be live together: its table stands in the documents, or is a file of its own. */
  set: ReleaseSet;
  /** Those of the set's remotes whose documents are weighed. */
  weighed: readonly RemoteManifest[];
  config: SiteConfig;
  rendered: readonly RenderedEntry[];
  /** See `compressInTurn`. */
  turn: string;
}

/**
 * Puts the documents of remotes together as an edge would, and weighs them: what a visitor downloads first, the rendered
 * page, its inlined styles and the release data.
 *
 * @throws ApiError `budget_exceeded`.
 */
export async function weighDocuments(
  context: Pick<RegistryContext, 'store' | 'compressing'>,
  { set, weighed, config, rendered, turn }: Weighed,
): Promise<{ documents: WeighedDocument[]; budgets: BudgetCheck[] }> {
  const { store } = context;
  const brotli = (bytes: Buffer) => compressInTurn(context, turn, () => brotliOf(bytes));
  const table = createTable({ remotes: set.remotes, lastGood: new Map() });
  const release = { id: 'r1', channel: 'production' as const, config };
  const boot = createBootData({ release }, table, scriptsOf(set.shell));
  const { shell } = set;
  const renderedOf = new Map<string, RenderedEntry[]>(weighed.map(({ app }) => [app, []]));
  for (const entry of rendered) renderedOf.get(entry.app)?.push(entry);
  const documents = (
    await inParallel(AT_ONCE, weighed, (remote) => {
      let read: Promise<Map<string, string>> | null = null;
      const texts = () => (read ??= readTexts(store, shell, [remote]));
      const weighing = { brotli, store, shell, config, boot, texts };
      return weighRemote(weighing, remote, renderedOf.get(remote.app) ?? []);
    })
  ).flat();
  const budgets = [
    ...documents.map(({ path, sent }) => ({
      name: `document of ${path}`,
      bytes: sent,
      budget: sizeBudgets.pageDocument,
    })),
    ...(boot.file ? [await weighTable(boot.file.bytes, brotli)] : []),
  ];
  const exceeded = budgets.filter(({ bytes, budget }) => bytes > budget);
  if (exceeded.length > 0) {
    throw registryErrors.budget_exceeded(
      exceeded
        .slice(0, 10)
        .map(
          ({ name, bytes, budget }) => `The ${name} has ${bytes} bytes in brotli, the budget is ${budget}.`,
        )
        .join(' '),
    );
  }
  return { documents, budgets };
}

async function weighTable(bytes: Buffer, brotli: Weighing['brotli']): Promise<BudgetCheck> {
  if (bytes.length > documentLimits.tableBytes) {
    throw registryErrors.budget_exceeded(
      `The table of remotes, routes and redirects of the release would have ${bytes.length} bytes; it has at most ${documentLimits.tableBytes}.`,
    );
  }
  const sent = await brotli(bytes);
  return {
    name: 'table of remotes, routes and redirects',
    bytes: sent.length,
    budget: sizeBudgets.releaseTable,
  };
}

async function weighRemote(
  { brotli, store, shell, config, boot, texts }: Weighing,
  remote: RemoteManifest,
  rendered: readonly RenderedEntry[],
): Promise<WeighedDocument[]> {
  const documents = new Map<string, WeighedDocument>();
  const choices = new Map(remote.pages.map((page) => [page.path, choicesOf(page)]));
  let sum = 0;
  for (const { app, path, variantKey: key, integrity } of rendered) {
    const page = remote.pages.find((each) => each.path === path);
    const choice = choices.get(path)?.get(key);
    if (!page || !choice) continue;
    const data = boot.of(app, path, true, choice);
    const question = questionOf({ shell, remote, page, config, integrity, data });
    let weight = weighedBefore.get(question);
    if (!weight) {
      const inline = await texts();
      const described = describeDocument({
        shell,
        remote,
        page,
        filesFromElsewhere: false,
        textOf: (owner, file) => inline.get(`${owner}/${file}`) ?? '',
        origin: config.origin,
        rendered: await readRendered(store, integrity),
        boot: data,
        banner: null,
      });
      refuseLarge(remote, path, leastBytes(described), sum);
      const bytes = Buffer.from(assembleDocument(described).html);
      refuseLarge(remote, path, bytes.length, sum);
      weight = { path, bytes: bytes.length, sent: (await brotli(bytes)).length };
      weighedBefore.set(question, weight);
    }
    refuseLarge(remote, path, weight.bytes, sum);
    sum += weight.bytes;
    const known = documents.get(path);
    if (!known || known.sent < weight.sent) documents.set(path, weight);
  }
  return [...documents.values()];
}

/** Publishing weighs the documents of a version, and activating it weighs the same documents again. */
const weighedBefore = new LRUCache<string, WeighedDocument>({ max: 20_000 });

/** Everything that a document is made of. The address of the release's table is a hash: whichever it is, it weighs the same. */
function questionOf(made: {
  shell: ShellManifest;
  remote: RemoteManifest;
  page: PageEntry;
  config: SiteConfig;
  integrity: string;
  data: BootData;
}): string {
  const { shell, remote, page, config, integrity, data } = made;
  const wanted = new Set([...shell.document.css, ...shell.document.inlineScripts, shell.entry]);
  const own = new Set([...page.css, ...page.js, remote.entry, page.card?.file]);
  return digest([
    shell.document,
    shell.assets.filter(({ path }) => wanted.has(path)),
    remote.assets.filter(({ path }) => own.has(path)),
    page,
    config.origin,
    integrity,
    { ...data, table: data.table ? true : null },
  ]);
}

function choicesOf({ variants }: PageEntry): Map<string, VariantChoice> {
  return new Map(variantChoices(variants).map((choice) => [variantKey(choice), choice]));
}

function refuseLarge({ app, version }: RemoteManifest, path: string, bytes: number, before: number): void {
  const name = `${app}@${version}`;
  if (bytes > documentLimits.bytes) {
    throw registryErrors.budget_exceeded(
      `${name}: the document of ${path} is at least ${bytes} bytes with its inlined styles; the limit is ${documentLimits.bytes}.`,
    );
  }
  if (before + bytes > versionLimits.bytes) {
    throw registryErrors.budget_exceeded(
      `${name}: its documents are at least ${before + bytes} bytes together; the limit for a version is ${versionLimits.bytes}.`,
    );
  }
}

async function readRendered(store: ArtifactStore, integrity: string): Promise<RenderedPage> {
  const bytes = await store.get(integrity);
  if (!bytes) throw registryErrors.blob_missing(`A rendered page (${integrity}) is gone.`);
  return v.parse(RenderedPageSchema, JSON.parse(bytes.toString('utf8')));
}

/** What stands inline in the documents, by app and path. */
async function readTexts(
  store: ArtifactStore,
  shell: ShellManifest,
  remotes: readonly RemoteManifest[],
): Promise<Map<string, string>> {
  const { css, inlineScripts } = shell.document;
  const wanted = [
    ...[...css, ...inlineScripts].map((path) => ({ manifest: shell, path })),
    ...remotes.flatMap((manifest) =>
      [...new Set(manifest.pages.flatMap((page) => page.css))].map((path) => ({ manifest, path })),
    ),
  ];
  const texts = await inParallel(AT_ONCE, wanted, async ({ manifest, path }) => {
    const file = manifest.assets.find((asset) => asset.path === path);
    const name = `${manifest.app}/${path}`;
    if (file && file.size > documentLimits.bytes) {
      throw registryErrors.budget_exceeded(
        `${name} is ${file.size} bytes and would be inlined in documents, which may be at most ${documentLimits.bytes} bytes.`,
      );
    }
    const bytes = file && (await store.get(file.integrity));
    if (!bytes) throw registryErrors.blob_missing(`${name} of ${manifest.version} is gone.`);
    return [name, bytes.toString('utf8')] as const;
  });
  return new Map(texts);
}
