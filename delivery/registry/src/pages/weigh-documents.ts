import * as v from 'valibot';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { readPack } from '@site/artifacts/pack';
import {
  documentLimits,
  type PageEntry,
  type RemoteManifest,
  type RenderedPage,
  RenderedPageSchema,
  type ShellManifest,
  type SiteConfig,
  sizeBudgets,
  type VariantChoice,
  variantChoices,
  variantKey,
} from '@site/contract';
import { compressBrotli, DOCUMENT_QUALITY } from '@site/server/encoded-body';
import { createBootData, createTable, type ReleaseBoot, listScripts } from '@site/documents/boot-data';
import { assembleDocument, describeDocument } from '@site/documents/document';
import { documentProblem, leastBytes, tableProblem } from '@site/documents/document-limits';
import { inParallel } from '@site/contract/in-parallel';
import type { RenderedEntry } from './rendered-page.repository.ts';
import { computeIntegrity } from '@site/contract/integrity';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { BudgetCheck } from '../versions/index.ts';
import { compressInTurn } from '../kernel/compressing.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ReleaseSet } from './release-set.ts';

const FORM_CONFIG: SiteConfig = {
  origin: 'http://a.test',
  mode: 'production',
  gateway: { base: 'http://b.test/', appId: 'app' },
  forms: { base: 'http://c.test/', appId: 'app' },
};

/** Hash of the document format and compression settings: invalidates weights measured by other registry versions. */
export const DOCUMENT_FORMAT_HASH = digest([
  assembleDocument({
    inlineScripts: ['script'],
    styles: [{ href: '/style', css: 'css' }],
    fonts: [{ href: '/font', type: 'font/woff2' }],
    preloads: [{ href: '/preload', integrity: 'hash' }],
    entry: { href: '/entry', integrity: 'hash' },
    rootFiles: ['favicon.ico', 'favicon.svg', 'apple-touch-icon.png', 'site.webmanifest'],
    card: { url: '/card', text: 'text' },
    page: { head: 'head', html: 'html' },
    boot: createBootData(
      { release: { id: 'r1', apps: {}, channel: 'production', config: FORM_CONFIG } },
      { remotes: [], routes: [], redirects: [] },
      ['/script'],
    ).of('mfe', '/', true, {}),
    banner: null,
  }).html,
  DOCUMENT_QUALITY,
]);

/** Documents in memory at the same time, which also limits queued compressions per publish. */
const AT_ONCE = 4;

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
  /** Inlined files by app and path; read when a document must be assembled. */
  texts(): Promise<Map<string, string>>;
}

interface Weight {
  bytes: number;
  sent: number;
}

export interface DocumentsToWeigh {
  set: ReleaseSet;
  weighed: readonly RemoteManifest[];
  config: SiteConfig;
  rendered: readonly RenderedEntry[];
  /** See `compressInTurn`. */
  turn: string;
}

/**
 * Assembles the documents of remotes as an edge would, and measures the first download: the rendered page, its inlined
 * styles and its data block. A document is identical in every release with its page, shell and configuration.
 * @returns as `weighed` the newly measured pages.
 * @throws ApiError `budget_exceeded`.
 */
export async function weighDocuments(
  context: Pick<RegistryContext, 'store' | 'compressing'>,
  { set, weighed, config, rendered, turn }: DocumentsToWeigh,
): Promise<{ documents: WeighedDocument[]; budgets: BudgetCheck[]; weighed: RenderedEntry[] }> {
  const { store } = context;
  const brotli = (bytes: Buffer) => compressInTurn(context, turn, () => compressBrotli(bytes));
  const table = createTable({ remotes: set.remotes, lastGood: new Map() });
  const apps = { shell: set.shell.version };
  const release = { id: 'r1', apps, channel: 'production' as const, config };
  const boot = createBootData({ release }, table, listScripts(set.shell));
  const { shell } = set;
  const renderedByApp = new Map<string, RenderedEntry[]>(weighed.map(({ app }) => [app, []]));
  for (const entry of rendered) renderedByApp.get(entry.app)?.push(entry);
  const found = await inParallel(AT_ONCE, weighed, (remote) => {
    let read: Promise<Map<string, string>> | null = null;
    const texts = () => (read ??= readTexts(store, shell, [remote]));
    const weighing = { brotli, store, shell, config, boot, texts };
    return weighRemote(weighing, remote, renderedByApp.get(remote.app) ?? []);
  });
  const documents = found.flatMap((each) => each.documents);
  const budgets = [
    ...documents.map(({ path, sent }) => ({
      name: `document of ${path}`,
      bytes: sent,
      budget: sizeBudgets.pageDocument,
    })),
    await weighTable(Buffer.from(JSON.stringify(table)), brotli),
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
  return { documents, budgets, weighed: found.flatMap((each) => each.weighed) };
}

async function measure(bytes: Buffer, brotli: Weighing['brotli']): Promise<Weight> {
  return { bytes: bytes.length, sent: (await brotli(bytes)).length };
}

async function weighTable(bytes: Buffer, brotli: Weighing['brotli']): Promise<BudgetCheck> {
  const problem = tableProblem(bytes.length);
  if (problem !== null) throw registryErrors.budget_exceeded(`The release would be too large: ${problem}`);
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
): Promise<{ documents: WeighedDocument[]; weighed: RenderedEntry[] }> {
  const documents = new Map<string, WeighedDocument>();
  const weighed: RenderedEntry[] = [];
  const choices = new Map(remote.pages.map((page) => [page.path, choicesByKey(page)]));
  let sum = 0;
  for (const entry of rendered) {
    const { app, path, variantKey: key, integrity } = entry;
    const page = remote.pages.find((each) => each.path === path);
    const choice = choices.get(path)?.get(key);
    if (!page || !choice) continue;
    const of = digest([DOCUMENT_FORMAT_HASH, integrity]);
    let weight = entry.weight;
    if (weight?.of !== of) {
      const files = await texts();
      const described = describeDocument({
        shell,
        remote,
        page,
        filesFromElsewhere: false,
        assetText: (owner, file) => files.get(`${owner}/${file}`) ?? '',
        origin: config.origin,
        rendered: await readRendered(store, entry),
        boot: boot.of(app, path, true, choice),
        banner: null,
      });
      refuseLarge(remote, path, leastBytes(described), sum);
      const bytes = Buffer.from(assembleDocument(described).html);
      refuseLarge(remote, path, bytes.length, sum);
      weight = { of, ...(await measure(bytes, brotli)) };
      weighed.push({ ...entry, weight });
    }
    const document = { path, bytes: weight.bytes, sent: weight.sent };
    refuseLarge(remote, path, document.bytes, sum);
    sum += document.bytes;
    const known = documents.get(path);
    if (!known || known.sent < document.sent) documents.set(path, document);
  }
  return { documents: [...documents.values()], weighed };
}

function choicesByKey({ variants }: PageEntry): Map<string, VariantChoice> {
  return new Map(variantChoices(variants).map((choice) => [variantKey(choice), choice]));
}

function refuseLarge(remote: RemoteManifest, path: string, bytes: number, before: number): void {
  const problem = documentProblem(remote, path, bytes, before);
  if (problem !== null) throw registryErrors.budget_exceeded(problem);
}

async function readRendered(store: ArtifactStore, { integrity, pack }: RenderedEntry): Promise<RenderedPage> {
  const bytes = (await store.get(integrity)) ?? (pack && (await readPacked(store, pack, integrity)));
  if (!bytes) throw registryErrors.blob_missing(`A rendered page (${integrity}) is gone.`);
  return v.parse(RenderedPageSchema, JSON.parse(bytes.toString('utf8')));
}

async function readPacked(store: ArtifactStore, pack: string, integrity: string): Promise<Buffer | null> {
  const bytes = await store.get(pack);
  if (!bytes || computeIntegrity(bytes) !== pack) return null;
  return readPack(bytes).find((packed) => packed.integrity === integrity)?.bytes ?? null;
}

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
        `${name} is ${file.size} bytes and would be inlined in documents, which may be at most ` +
          `${documentLimits.bytes} bytes.`,
      );
    }
    const bytes = file && (await store.get(file.integrity));
    if (!bytes) throw registryErrors.blob_missing(`${name} of ${manifest.version} is gone.`);
    return [name, bytes.toString('utf8')] as const;
  });
  return new Map(texts);
}
