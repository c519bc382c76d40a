import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { registryErrors } from '../kernel/registry-errors.ts';
import { runInThread } from '../kernel/run-in-thread.ts';
import { versionName } from '../versions/index.ts';
import { isolationProblems, type IsolationInput } from './isolation-problems.ts';

const READS_AT_ONCE = 4;
const MOST_PROBLEMS = 5;
const TIMEOUT_MS = 30_000;
/** A smaller stylesheet is checked faster than a thread starts. */
const SMALL_STYLES = 100_000;

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
  const shellStyles = await readTexts(store, shell, (path) => shell?.document.css.includes(path) ?? false);
  const problems = await findProblems({
    app,
    shellStyles: shellStyles.map(([, css]) => css),
    texts: await readTexts(store, manifest, (path) => /\.(css|js)$/.test(path)),
  });
  if (problems.length === 0) return;
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > shown.length ? ` And ${problems.length - shown.length} more.` : '';
  throw registryErrors.remote_not_isolated(`${versionName(app, version)}: ${shown.join(' ')}${more}`);
}

/** Large stylesheets take seconds, in which the registry must answer other requests. */
async function findProblems(input: IsolationInput): Promise<string[]> {
  const styles = [
    ...input.shellStyles,
    ...input.texts.filter(([path]) => path.endsWith('.css')).map(([, css]) => css),
  ];
  if (styles.reduce((sum, css) => sum + css.length, 0) < SMALL_STYLES) return isolationProblems(input);
  const worker = new URL('isolation-worker.ts', import.meta.url);
  const problems = await runInThread<string[]>(worker, input, TIMEOUT_MS);
  return problems ?? [`The check takes more than ${TIMEOUT_MS / 1_000} s: use fewer or smaller stylesheets.`];
}

async function readTexts(
  store: ArtifactStore,
  manifest: VersionManifest | undefined,
  isWanted: (path: string) => boolean,
): Promise<IsolationInput['texts']> {
  const files = (manifest?.assets ?? []).filter(({ path }) => isWanted(path));
  return inParallel(READS_AT_ONCE, files, async ({ path, integrity }) => [
    path,
    (await store.get(integrity))?.toString() ?? '',
  ]);
}
