import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outsideRanges } from './outside-ranges.ts';
import { publishedPackages, root } from './workspace.ts';

const packages = publishedPackages();

test('dependencies on our packages outside of the workspaces use the current versions', () => {
  for (const { path, is, ought } of outsideRanges(packages)) expect([path, is]).toEqual([path, ought]);
});

/** Packages with a changeset for a major version. */
function becomingMajor(): Set<string> {
  const folder = join(root, '.changeset');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^["']?(@site\/[\w-]+)["']?: major$/gm)].map(([, name = '']) => name),
    ),
  );
}

/**
 * Otherwise `npm update`, which stays within a major version, would install a package with an incompatible
 * peer.
 */
test('a major version of a package requires a major version of packages that have it as their peer', () => {
  const major = becomingMajor();
  const left = packages
    .filter(
      ({ packageJson: { name, peerDependencies = {} } }) =>
        !major.has(name) && Object.keys(peerDependencies).some((peer) => major.has(peer)),
    )
    .map(({ packageJson }) => packageJson.name);
  expect(left).toEqual([]);
});
