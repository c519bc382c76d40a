import type { VersionManifest } from '@site/contract';
import {
  type RenderedEntry,
  type ReleaseSet,
  renderMissing,
  renderUnrecorded,
  type RenderedSet,
  findRenderedPages,
  weighDocuments,
  type WeighedDocument,
} from '../pages/index.ts';
import type { CheckedVersion } from './check-version.ts';
import type { BudgetCheck } from '../versions/index.ts';
import type { Command } from '../kernel/command.ts';
import { actorQueue } from '../kernel/actor.ts';

export interface RenderedVersion {
  count: number;
  pages: RenderedSet | null;
  documents: WeighedDocument[];
  budgets: BudgetCheck[];
}

/** Second step of publishing. Renders nothing if nothing is live or the comparison is deferred to the activation. */
export async function renderVersion(
  { context, actor }: Command,
  { manifest, live, liveManifests }: CheckedVersion,
  isKnown: boolean,
): Promise<RenderedVersion> {
  const shown = live ? withLive(manifest, liveManifests) : null;
  if (!shown || !live) return { count: 0, pages: null, documents: [], budgets: [] };
  const { config } = live.release;
  const pages = isKnown ? null : await renderUnrecorded(context, shown, config, manifest);
  const made = pages?.remotes.flatMap(({ entries }) => entries);
  const count = made?.length ?? (await renderMissing(context, shown, config, { unproven: [manifest.app] }));
  const entries = made ?? (await findRenderedPages(context, shown, config, { withWeights: true }));
  const together = [...liveManifests.filter(({ app }) => app !== manifest.app), manifest];
  const remotes = together.filter((other) => other.kind === 'remote');
  const { weighed, ...answer } = await weighDocuments(context, {
    set: { shell: shown.shell, remotes },
    weighed: shown.remotes,
    config,
    rendered: entries,
    turn: actorQueue(actor),
  });
  return { count, pages: pages && withWeights(pages, weighed), ...answer };
}

function withWeights(pages: RenderedSet, weighed: readonly RenderedEntry[]): RenderedSet {
  const known = new Map(weighed.map((entry) => [entryKey(entry), entry]));
  const remotes = pages.remotes.map(({ version, entries }) => ({
    version,
    entries: entries.map((entry) => known.get(entryKey(entry)) ?? entry),
  }));
  return { ...pages, remotes };
}

function entryKey({ app, path, variantKey }: RenderedEntry): string {
  return `${app} ${path} ${variantKey}`;
}

function withLive(manifest: VersionManifest, live: readonly VersionManifest[]): ReleaseSet | null {
  if (manifest.kind === 'shell') {
    return { shell: manifest, remotes: live.filter((other) => other.kind === 'remote') };
  }
  const shell = live.find((other) => other.kind === 'shell');
  return shell ? { shell, remotes: [manifest] } : null;
}
