import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outsideRanges } from './outside-ranges.ts';
import { publishedPackages, root } from './workspace.ts';

/** Part of `npm run packages:version`: updates the versions in the template and in test fixtures. */
for (const { path, is, ought } of outsideRanges(publishedPackages()))
  if (is !== ought) await writeFile(join(root, path), ought);
