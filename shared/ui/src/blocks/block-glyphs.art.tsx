import { art, type Art } from '../art.tsx';
import type { BlockName } from './block-name.ts';
import { glyphs } from './glyphs.tsx';
import { path } from './iso.ts';
import { Drawing } from './primitives.tsx';

const floor = path([
  [-0.2, -0.2, 0],
  [2.2, -0.2, 0],
  [2.2, 2.2, 0],
  [-0.2, 2.2, 0],
]);

export const blockGlyphs = Object.fromEntries(
  Object.entries(glyphs).map(([name, draw]) => [
    name,
    art(
      <Drawing viewBox="-51 -57 102 102">
        <path d={floor} fill="var(--floor)" stroke="none" />
        {draw()}
      </Drawing>,
    ),
  ]),
) as Record<BlockName, Art>;
