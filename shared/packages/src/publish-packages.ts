import { npm, NpmError } from './npm.ts';
import type { PublishedPackage } from './workspace.ts';

/** A version exists in the registry with other contents. The message names it and the remedy. */
export class PublishRefused extends Error {
  override name = 'PublishRefused';
}

export interface PublishResult {
  name: string;
  version: string;
  result: 'published' | 'there already';
}

/**
 * Publishes the result of `npm run packages` to npm's configured registry. Existing versions with the same
 * contents are skipped; if one has other contents, nothing is published.
 * @param args for `npm publish`, such as `--tag next`.
 * @param env with npm's configuration.
 * @throws PublishRefused, NpmError
 */
export async function publishPackages(
  packages: readonly PublishedPackage[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<PublishResult[]> {
  const missing = new Set<PublishedPackage>();
  const problems: string[] = [];
  const states = await Promise.all(
    packages.map(async (one) => [one, await publishedState(one, env)] as const),
  );
  for (const [one, state] of states) {
    if (state === 'missing') missing.add(one);
    else if (state.length > 0) problems.push(refusal(one, state));
  }
  if (problems.length > 0) throw new PublishRefused(`Nothing was published.\n${problems.join('\n')}`);
  const results: PublishResult[] = [];
  for (const one of packages) {
    if (missing.has(one)) await npm(env, 'publish', one.built, ...args);
    const { name, version } = one.packageJson;
    results.push({ name, version, result: missing.has(one) ? 'published' : 'there already' });
  }
  return results;
}

/** @returns the files that differ from the published version. */
async function publishedState(one: PublishedPackage, env: NodeJS.ProcessEnv): Promise<'missing' | string[]> {
  const { name, version } = one.packageJson;
  if (!(await publishedVersions(name, env)).includes(version)) return 'missing';
  const there = `--diff=${name}@${version}`;
  const differing = await npm(env, 'diff', there, `--diff=${one.built}`, '--diff-name-only');
  return differing.split('\n').filter(Boolean);
}

async function publishedVersions(name: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const versions: unknown = JSON.parse(await npm(env, 'view', name, 'versions', '--json'));
    return [versions].flat().map(String);
  } catch (error) {
    // The registry does not have the package.
    if (error instanceof NpmError && /"code": ?"E404"/.test(error.stdout)) return [];
    throw error;
  }
}

function refusal({ packageJson: { name, version } }: PublishedPackage, files: readonly string[]): string {
  const shown = files.slice(0, 5).join(', ');
  return (
    `${name}@${version} is in the registry with other contents ` +
    `(${shown}${files.length > 5 ? `, and ${files.length - 5} more` : ''}). ` +
    'A published version never changes: describe the change with "npx --no changeset", and run ' +
    '"npm run packages:version".'
  );
}
