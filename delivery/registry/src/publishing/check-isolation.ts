import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { scriptProblems, siteNames, styleProblems } from '@site/contract/remote-isolation';
import { registryErrors } from '../kernel/registry-errors.ts';
import { versionName } from '../versions/version.repository.ts';

const READS_AT_ONCE = 4;
const MOST_PROBLEMS = 5;

/**
 * Checks a remote's stylesheets and scripts against the shell that is live.
 * @throws ApiError `remote_not_isolated`.
 */
export async function checkIsolation(
  store: ArtifactStore,
  manifest: VersionManifest,
  live: readonly VersionManifest[],
): Promise<void> {
  if (manifest.kind !== 'remote') return;
  const { app, version } = manifest;
  const shell = live.find((other) => other.kind === 'shell');
  const names = siteNames(
    (await readTexts(store, shell, (path) => shell?.document.css.includes(path) ?? false)).map(
      ([, css]) => css,
    ),
  );
  const problems: string[] = [];
  const texts = await readTexts(store, manifest, (path) => /\.(css|js)$/.test(path));
  for (const [path, text] of texts) {
    const found = path.endsWith('.css') ? styleProblems(app, text, names, true) : scriptProblems(app, text);
    problems.push(...found.map((problem) => `${path}: ${problem}`));
  }
  if (problems.length === 0) return;
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > shown.length ? ` And ${problems.length - shown.length} more.` : '';
  throw registryErrors.remote_not_isolated(`${versionName(app, version)}: ${shown.join(' ')}${more}`);
}

async function readTexts(
  store: ArtifactStore,
  manifest: VersionManifest | undefined,
  isWanted: (path: string) => boolean,
): Promise<[path: string, text: string][]> {
  const files = (manifest?.assets ?? []).filter(({ path }) => isWanted(path));
  return inParallel(READS_AT_ONCE, files, async ({ path, integrity }) => [
    path,
    (await store.get(integrity))?.toString() ?? '',
  ]);
}
