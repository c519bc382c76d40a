import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outsideRanges } from './outside-ranges.ts';
import { publishedPackages, root } from './workspace.ts';

const packages = publishedPackages();

test('what asks for our packages outside of the workspaces asks for those of today', () => {
  for (const { path, is, ought } of outsideRanges(packages)) expect([path, is]).toEqual([path, ought]);
});

/** Packages of which a changeset makes a major version. */
function becomingMajor(): Set<string> {
  const folder = join(root, '.changeset');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^["']?(@site\/[\w-]+)["']?: major$/gm)].map(([, name = '']) => name),
    ),
  );
}

/** Else `npm update`, which stays within a major version, would bring a team a package whose peer it must not have. */
test('a major version of a package is one of those as well that have it as their peer', () => {
  const major = becomingMajor();
  const left = packages
    .filter(
      ({ packageJson: { name, peerDependencies = {} } }) =>
        !major.has(name) && Object.keys(peerDependencies).some((peer) => major.has(peer)),
    )
    .map(({ packageJson }) => packageJson.name);
  expect(left).toEqual([]);
});
