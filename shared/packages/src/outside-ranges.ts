import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type PublishedPackage } from './workspace.ts';

/** They depend on our packages but are not workspaces, so changesets does not update them. */
const OUTSIDE = [
  'shared/create-remote/template/remote/package.json',
  'shared/create-remote/template/repository/package.json',
  'tests/fixtures/mfe-rspack/package.json',
];

/** The current text of a file, and the text with current versions. */
export interface OutsideRanges {
  path: string;
  is: string;
  ought: string;
}

export function outsideRanges(packages: readonly PublishedPackage[]): OutsideRanges[] {
  return OUTSIDE.map((path) => {
    const is = readFileSync(join(root, path), 'utf8');
    const ought = packages.reduce(
      (text, { packageJson: { name, version } }) =>
        text.replace(new RegExp(`("${name}": )"[^"]*"`), `$1"^${version}"`),
      is,
    );
    return { path, is, ought };
  });
}
