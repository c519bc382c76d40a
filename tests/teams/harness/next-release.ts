import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedPackage } from '@site/packages/workspace';

/** @param version such as `1.2.3`. @returns `1.3.0` */
export function nextMinor(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

/**
 * A built package with its next minor version, as `npm run packages:version` would create it after changes in
 * `together`.
 * @param folder for the result.
 */
export async function nextRelease(
  one: PublishedPackage,
  together: readonly PublishedPackage[],
  folder: string,
): Promise<PublishedPackage> {
  const built = join(folder, one.folder);
  await cp(one.built, built, { recursive: true });
  const file = join(built, 'package.json');
  const json = JSON.parse(await readFile(file, 'utf8')) as PublishedPackage['packageJson'];
  const later = (ranges: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => {
        const other = together.find(({ packageJson }) => packageJson.name === name);
        return [name, other ? `^${nextMinor(other.packageJson.version)}` : range];
      }),
    );
  const version = nextMinor(json.version);
  const { dependencies, peerDependencies } = json;
  const changed = {
    ...json,
    version,
    dependencies: later(dependencies),
    peerDependencies: later(peerDependencies),
  };
  await writeFile(file, JSON.stringify(changed));
  return { ...one, packageJson: { ...one.packageJson, version }, built };
}
