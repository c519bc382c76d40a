import type { VersionManifest } from '@site/contract';

export interface PageSize {
  files: number;
  bytes: number;
}

export interface VersionDiff {
  /** Null for a first version: then everything is new. */
  against: string | null;
  pages: { added: string[]; removed: string[] };
  files: { added: string[]; removed: string[]; unchanged: number };
  pageSizes: { path: string; from: PageSize | null; to: PageSize }[];
  ranges: { name: string; from: string | null; to: string | null }[];
}

export function diffVersions(from: VersionManifest | null, to: VersionManifest): VersionDiff {
  const before = from ? pageSizes(from) : new Map<string, PageSize>();
  const after = pageSizes(to);
  const oldFiles = new Set(from?.assets.map(({ path }) => path));
  const newFiles = new Set(to.assets.map(({ path }) => path));
  return {
    against: from?.version ?? null,
    pages: { added: missingIn(before, after.keys()), removed: missingIn(after, before.keys()) },
    files: {
      added: missingIn(oldFiles, newFiles),
      removed: missingIn(newFiles, oldFiles),
      unchanged: [...newFiles].filter((path) => oldFiles.has(path)).length,
    },
    pageSizes: [...after]
      .map(([path, size]) => ({ path, from: before.get(path) ?? null, to: size }))
      .filter(({ from: old, to: now }) => old?.bytes !== now.bytes || old.files !== now.files),
    ranges: changedRanges(from ? sharedRanges(from) : {}, sharedRanges(to)),
  };
}

function pageSizes(manifest: VersionManifest): Map<string, PageSize> {
  if (manifest.kind === 'shell') return new Map();
  const sizes = new Map(manifest.assets.map(({ path, size }) => [path, size]));
  return new Map(
    manifest.pages.map(({ path, js, css }) => {
      const files = [...new Set([manifest.entry, ...js, ...css])];
      const bytes = files.reduce((total, file) => total + (sizes.get(file) ?? 0), 0);
      return [path, { files: files.length, bytes }];
    }),
  );
}

function sharedRanges(manifest: VersionManifest): Record<string, string> {
  return manifest.kind === 'shell' ? manifest.provides : manifest.requires;
}

function changedRanges(from: Record<string, string>, to: Record<string, string>): VersionDiff['ranges'] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => from[name] !== to[name])
    .sort()
    .map((name) => ({ name, from: from[name] ?? null, to: to[name] ?? null }));
}

function missingIn(known: { has(key: string): boolean }, keys: Iterable<string>): string[] {
  return [...keys].filter((key) => !known.has(key)).sort();
}
