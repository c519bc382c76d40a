import * as v from 'valibot';
import {
  isReserved,
  PathPatternSchema,
  PathPatternsSchema,
  patternsOverlap,
} from './path-reservation.schema.ts';

test.each(['/', '*', '/careers', '/careers/*', '/careers/jobs/*'])('"%s" can be reserved', (pattern) => {
  expect(v.is(PathPatternSchema, pattern)).toBe(true);
});

test.each([
  '',
  '/*',
  '/Careers',
  '/careers/',
  '/careers*',
  '/careers/*/jobs',
  'careers',
  '/assets/*',
  '/__site/*',
])('"%s" cannot', (pattern) => {
  const parsed = v.safeParse(PathPatternSchema, pattern);
  expect(parsed.success).toBe(false);
  expect(parsed.issues?.[0]?.message).toMatch(/is not a path that can be reserved: write a page path/);
});

test('a list names each pattern once', () => {
  expect(v.is(PathPatternsSchema, ['/a', '/a/*'])).toBe(true);
  expect(v.is(PathPatternsSchema, ['/a', '/a'])).toBe(false);
});

test('a prefix reserves itself and everything below, but no other path with the same beginning', () => {
  const careers = ['/careers/*'];
  expect(['/careers', '/careers/jobs', '/careers/jobs/one'].every((path) => isReserved(careers, path))).toBe(
    true,
  );
  expect(['/career', '/careersx', '/', '*', '/jobs'].some((path) => isReserved(careers, path))).toBe(false);
});

test('an exact path reserves only itself', () => {
  expect(isReserved(['/careers'], '/careers')).toBe(true);
  expect(isReserved(['/careers'], '/careers/jobs')).toBe(false);
  expect(isReserved(['*'], '/careers')).toBe(false);
});

test.each([
  ['/careers', '/careers', true],
  ['/careers/*', '/careers', true],
  ['/careers/*', '/careers/jobs', true],
  ['/careers/*', '/careers/jobs/*', true],
  ['/careers/jobs/*', '/careers/teams/*', false],
  ['/careers/jobs/*', '/careers', false],
  ['/careers/*', '/careersx/*', false],
  ['*', '/careers', false],
  ['*', '*', true],
  ['/', '/careers/*', false],
])('%s and %s have a common path: %s', (one, other, overlap) => {
  expect(patternsOverlap(one, other)).toBe(overlap);
  expect(patternsOverlap(other, one)).toBe(overlap);
});
