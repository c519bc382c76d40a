import type { VersionManifest } from '@site/contract';

/** What a version changes against another one of the same app. */
export interface VersionDiff {
  /** The version compared with, or null when there is none: then everything is new. */
  against: string | null;
  pages: { added: string[]; removed: string[] };
  files: { added: string[]; removed: string[]; unchanged: number };
  /** Bytes (uncompressed) that the first view of each page needs from this app, where they differ. */
  pageBytes: { path: string; from: number | null; to: number }[];
  /** `requires` of a remote, `provides` of the shell. */
  ranges: { name: string; from: string | null; to: string | null }[];
}

/** Compares two versions of an app. */
export function diffVersions(from: VersionManifest | null, to: VersionManifest): VersionDiff {
  const before = from ? pageBytes(from) : new Map<string, number>();
  const after = pageBytes(to);
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
    pageBytes: [...after]
      .map(([path, bytes]) => ({ path, from: before.get(path) ?? null, to: bytes }))
      .filter(({ from: old, to: now }) => old !== now),
    ranges: changedRanges(from ? rangesOf(from) : {}, rangesOf(to)),
  };
}

function pageBytes(manifest: VersionManifest): Map<string, number> {
  if (manifest.kind === 'shell') return new Map();
  const sizes = new Map(manifest.assets.map(({ path, size }) => [path, size]));
  const sum = (paths: string[]) => paths.reduce((total, path) => total + (sizes.get(path) ?? 0), 0);
  return new Map(
    manifest.pages.map(({ path, js, css }) => [path, sum([...new Set([manifest.entry, ...js, ...css])])]),
  );
}

function rangesOf(manifest: VersionManifest): Record<string, string> {
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
