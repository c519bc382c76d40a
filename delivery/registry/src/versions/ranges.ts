import semver from 'semver';
import { LRUCache } from 'lru-cache';
import type { RemoteManifest, ShellManifest } from '@site/contract';

export interface UnmetRange {
  app: string;
  version: string;
  name: string;
  range: string;
  offered: string | null;
}

/** Defaults for shells that predate these declarations and may be rollback targets. */
const UNTOLD: Readonly<Record<string, string>> = { '@site/contract': '1.0.0', '@site/ui': '1.0.0' };

export function unmetRanges(
  remote: Pick<RemoteManifest, 'app' | 'version' | 'requires'>,
  shell: Pick<ShellManifest, 'provides'>,
): UnmetRange[] {
  const provides = { ...UNTOLD, ...shell.provides };
  return Object.entries(remote.requires).flatMap(([name, range]) => {
    // Package names may equal Object.prototype properties such as "toString".
    const offered = Object.hasOwn(provides, name) ? (provides[name] ?? null) : null;
    if (offered !== null && satisfies(offered, range)) return [];
    return [{ app: remote.app, version: remote.version, name, range, offered }];
  });
}

/** Remotes have few different requirements: 400 of them share a handful of ranges. */
const answered = new LRUCache<string, boolean>({ max: 1_000 });

function satisfies(version: string, range: string): boolean {
  const question = `${version} ${range}`;
  const known = answered.get(question);
  if (known !== undefined) return known;
  const answer = semver.satisfies(version, range);
  answered.set(question, answer);
  return answer;
}

export function describeUnmetRange({ app, version, name, range, offered }: UnmetRange): string {
  return `${app}@${version} needs ${name} ${range}, the shell offers ${offered ?? 'none'}`;
}

export function isRange(text: string): boolean {
  return semver.validRange(text) !== null;
}

export function isExactVersion(text: string): boolean {
  return semver.valid(text) !== null;
}
