import semver from 'semver';
import { LRUCache } from 'lru-cache';
import type { RemoteManifest, ShellManifest } from '@site/contract';

/** Something that a remote takes from the shell and this shell does not offer. */
export interface UnmetRange {
  app: string;
  version: string;
  name: string;
  range: string;
  /** The version that the shell offers, or null when it does not offer the package at all. */
  offered: string | null;
}

/** What shells offered before they declared it. Such a shell can still be rolled back to. */
const UNTOLD: Readonly<Record<string, string>> = { '@site/contract': '1.0.0', '@site/ui': '1.0.0' };

/** What a remote requires and a shell does not provide, by the rules of semver. */
export function unmetRanges(
  remote: Pick<RemoteManifest, 'app' | 'version' | 'requires'>,
  shell: Pick<ShellManifest, 'provides'>,
): UnmetRange[] {
  const provides = { ...UNTOLD, ...shell.provides };
  return Object.entries(remote.requires).flatMap(([name, range]) => {
    // A team may name what every object has, such as "toString".
    const offered = Object.hasOwn(provides, name) ? (provides[name] ?? null) : null;
    if (offered !== null && satisfies(offered, range)) return [];
    return [{ app: remote.app, version: remote.version, name, range, offered }];
  });
}

/** All remotes ask one shell for much the same: 400 of them read a handful of different ranges. */
const answered = new LRUCache<string, boolean>({ max: 1_000 });

function satisfies(version: string, range: string): boolean {
  const question = `${version} ${range}`;
  const known = answered.get(question);
  if (known !== undefined) return known;
  const answer = semver.satisfies(version, range);
  answered.set(question, answer);
  return answer;
}

/** "mfe-blocks@1.0.0-… needs react ^20.0.0, the shell offers 19.3.0" */
export function describeUnmetRange({ app, version, name, range, offered }: UnmetRange): string {
  return `${app}@${version} needs ${name} ${range}, the shell offers ${offered ?? 'none'}`;
}

/** Whether a text is a range that semver understands. */
export function isRange(text: string): boolean {
  return semver.validRange(text) !== null;
}

/** Whether a text is an exact version. */
export function isExactVersion(text: string): boolean {
  return semver.valid(text) !== null;
}
