import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outsideRanges } from './outside-ranges.ts';
import { publishedPackages, root } from './workspace.ts';

/** A part of `npm run packages:version`: what is made of the template, and what tests install, asks for the new versions. */
for (const { path, is, ought } of outsideRanges(publishedPackages()))
  if (is !== ought) await writeFile(join(root, path), ought);
