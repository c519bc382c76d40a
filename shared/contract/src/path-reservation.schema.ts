import * as v from 'valibot';
import { PagePathSchema } from './route.schema.ts';
import { versionLimits } from './limits.ts';

const BELOW = '/*';

/**
 * A reserved path: one path, or `/careers/*` for `/careers` and everything below. `/` and `*` as in
 * redirects: the empty path, and every unknown path.
 */
export const PathPatternSchema = v.union(
  [
    v.literal('/'),
    v.literal('*'),
    PagePathSchema,
    v.pipe(
      v.string(),
      v.endsWith(BELOW),
      v.check((pattern) => v.is(PagePathSchema, patternRoot(pattern))),
    ),
  ],
  ({ received }) =>
    `${received} is not a path that can be reserved: write a page path ("/careers"), one with ` +
    'everything below it ("/careers/*"), "/" or "*".',
);

const MOST_PATTERNS = versionLimits.pages + versionLimits.redirects;

export const PathPatternsSchema = v.pipe(
  v.array(PathPatternSchema),
  v.maxLength(MOST_PATTERNS, `An app has at most ${MOST_PATTERNS} reserved paths.`),
  v.check((patterns) => new Set(patterns).size === patterns.length, 'A path is listed twice.'),
);

export function isReserved(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => covers(pattern, path));
}

export function patternsOverlap(one: string, other: string): boolean {
  return covers(one, patternRoot(other)) || covers(other, patternRoot(one));
}

function covers(pattern: string, path: string): boolean {
  if (!pattern.endsWith(BELOW)) return pattern === path;
  const top = patternRoot(pattern);
  return path === top || path.startsWith(`${top}/`);
}

function patternRoot(pattern: string): string {
  return pattern.endsWith(BELOW) ? pattern.slice(0, -BELOW.length) : pattern;
}
