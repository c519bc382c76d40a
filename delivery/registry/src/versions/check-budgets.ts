import { LRUCache } from 'lru-cache';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { COMPRESSED_FROM_BYTES } from '@site/artifacts/encodings';
import {
  sizeBudgets,
  type FileEntry,
  type PublishAnswer,
  type RemoteManifest,
  type ShellManifest,
  type VersionManifest,
} from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { registryErrors } from '../kernel/registry-errors.ts';

const LOOKS_AT_ONCE = 16;

export type BudgetCheck = PublishAnswer['checked']['budgets'][number];

interface Bill {
  name: string;
  budget: number;
  files: { app: string; file: FileEntry }[];
}

/**
 * Compares the brotli size of the files that browsers load with the budgets: for each page of a remote, the first view
 * including the shell; for a shell, the first view of every page.
 * @param together the versions that are (to be) live together.
 * @param changed the apps with new versions.
 * @throws ApiError `budget_exceeded`.
 */
export async function checkBudgets(
  store: ArtifactStore,
  together: readonly VersionManifest[],
  changed: readonly string[],
): Promise<BudgetCheck[]> {
  const bills = createBills(together, new Set(changed));
  const weighed = new Map(bills.flatMap(({ files }) => files.map(({ file }) => [file.integrity, file])));
  const sizes = new Map(
    await inParallel(LOOKS_AT_ONCE, [...weighed.values()], async (file) => {
      return [file.integrity, (await sizeSent(store, file)) ?? file.size] as const;
    }),
  );

  const checks: BudgetCheck[] = [];
  const exceeded: string[] = [];
  for (const { name, budget, files } of bills) {
    const measured = files.map(({ app, file }) => ({
      app,
      path: file.path,
      bytes: sizes.get(file.integrity) ?? file.size,
    }));
    const bytes = measured.reduce((sum, file) => sum + file.bytes, 0);
    checks.push({ name, bytes, budget });
    if (bytes <= budget) continue;
    const largest = measured.sort((a, b) => b.bytes - a.bytes).slice(0, 3);
    exceeded.push(
      `The ${name} has ${bytes} bytes in brotli, the budget is ${budget} (${largest
        .map((file) => `${file.app}/${file.path}: ${file.bytes}`)
        .join(', ')}).`,
    );
  }
  if (exceeded.length > 0) throw registryErrors.budget_exceeded(exceeded.join(' '));
  return checks;
}

/** Activation measures the same files as publishing. */
const weighedBefore = new LRUCache<string, number>({ max: 50_000 });

async function sizeSent(store: ArtifactStore, { integrity, size }: FileEntry): Promise<number | null> {
  if (size < COMPRESSED_FROM_BYTES) return null;
  const known = weighedBefore.get(integrity);
  if (known !== undefined) return known;
  const sent = await store.getEncoded(integrity, 'br');
  if (sent) weighedBefore.set(integrity, sent.length);
  return sent?.length ?? null;
}

function createBills(together: readonly VersionManifest[], changed: ReadonlySet<string>): Bill[] {
  const shell = together.find((manifest) => manifest.kind === 'shell');
  const isNewShell = shell !== undefined && changed.has(shell.app);
  const remotes = together.filter((manifest) => manifest.kind === 'remote');
  return [
    ...(isNewShell ? laterBills(shell) : []),
    ...remotes.flatMap((remote) => [
      ...(changed.has(remote.app)
        ? [
            {
              name: `entry of ${remote.app}`,
              budget: sizeBudgets.remoteEntry + runtimeAllowance(remote),
              files: billFiles(remote, [remote.entry]),
            },
          ]
        : []),
      ...(isNewShell || changed.has(remote.app) ? pageBills(shell, remote) : []),
    ]),
  ];
}

function laterBills(shell: ShellManifest): Bill[] {
  const first = new Set([shell.entry, ...shell.document.inlineScripts]);
  return shell.assets
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.js') && !first.has(path))
    .map((path) => ({
      name: `script ${path} of ${shell.app}`,
      budget: sizeBudgets.laterScript,
      files: billFiles(shell, [path]),
    }));
}

function runtimeAllowance({ ownRuntime }: RemoteManifest): number {
  return ownRuntime ? sizeBudgets.ownRuntime : 0;
}

function pageBills(shell: ShellManifest | undefined, remote: RemoteManifest): Bill[] {
  return remote.pages.flatMap((page) => [
    {
      name: `JavaScript of the first view of ${page.path}`,
      budget: sizeBudgets.pageScripts + runtimeAllowance(remote),
      files: [
        ...(shell ? billFiles(shell, [shell.entry]) : []),
        ...billFiles(remote, [remote.entry, ...page.js]),
      ],
    },
    {
      name: `CSS of the first view of ${page.path}`,
      budget: sizeBudgets.pageStyles,
      files: [...(shell ? billFiles(shell, shell.document.css) : []), ...billFiles(remote, page.css)],
    },
  ]);
}

function billFiles({ app, assets }: VersionManifest, paths: readonly string[]): Bill['files'] {
  const wanted = new Set(paths);
  return assets.filter(({ path }) => wanted.has(path)).map((file) => ({ app, file }));
}
