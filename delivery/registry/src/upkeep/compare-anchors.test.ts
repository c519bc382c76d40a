import type { Anchor } from './anchor.ts';
import { compareAnchors, type LogToCompare } from './compare-anchors.ts';

const at = (sequence: number) => `2026-01-01T00:00:${String(sequence).padStart(2, '0')}.000Z`;
const anchor = (sequence: number, more: Partial<Anchor> = {}) =>
  ({
    epoch: 1,
    sequence,
    hash: `hash-${sequence}`,
    at: at(sequence),
    previous: sequence > 10 ? sequence - 10 : null,
    continues: null,
    ...more,
  }) as Anchor;
const anchors = [anchor(10), anchor(20), anchor(30)];
const log = (more: Partial<LogToCompare> = {}): LogToCompare => ({
  entries: 35,
  isWhole: true,
  hashes: new Map([10, 20, 30].map((sequence) => [sequence, `hash-${sequence}`])),
  lastWritten: { epoch: 1, sequence: 30 },
  ...more,
});
const listProblems = (
  of: Anchor[],
  more: Partial<LogToCompare> = {},
  bad: { name: string; problem: string }[] = [],
) => compareAnchors({ anchors: of, bad }, log(more)).problems;

test('a log that has grown since its anchors is right', () => {
  expect(compareAnchors({ anchors, bad: [] }, log())).toEqual({
    checked: 3,
    newest: { sequence: 30, hash: 'hash-30', at: at(30) },
    restored: [],
    problems: [],
  });
  expect(listProblems(anchors, { entries: 30 })).toEqual([]);
});

test('a shortened log is reported with the furthest anchor, unless the chain is broken before', () => {
  expect(listProblems(anchors, { entries: 29 })).toEqual([
    `The log was shortened: it ends with entry 29, but entry 30 was anchored at ${at(30)}.`,
  ]);
  expect(listProblems(anchors, { entries: 29, isWhole: false })).toEqual([]);
});

test('a rewritten entry is located to the range since the last valid anchor', () => {
  const hashes = new Map([
    [10, 'hash-10'],
    [20, 'another'],
    [30, 'another'],
  ]);
  expect(listProblems(anchors, { hashes })).toEqual([
    `The log was rewritten: one of the entries 11 to 20 is not what was anchored at ${at(20)}.`,
  ]);
  const next = [anchor(10), anchor(11, { previous: 10 })];
  expect(
    listProblems(next, { hashes: new Map([[10, 'hash-10']]), lastWritten: { epoch: 1, sequence: 11 } }),
  ).toEqual([`The log was rewritten: entry 11 is not what was anchored at ${at(11)}.`]);
  expect(listProblems([anchor(1)], { hashes: new Map(), lastWritten: { epoch: 1, sequence: 1 } })).toEqual([
    `The log was rewritten: entry 1 is not what was anchored at ${at(1)}.`,
  ]);
});

test('an anchor that another one names, or that was written last, must be there', () => {
  const gone = (sequence: number) => `The anchor of entry ${sequence} was taken out of the artifact store.`;
  expect(listProblems([anchor(10), anchor(30)])).toEqual([gone(20)]);
  expect(listProblems([anchor(10), anchor(20)])).toEqual([gone(30)]);
  expect(listProblems([anchor(10), anchor(20)], { lastWritten: { epoch: 2, sequence: 30 } })).toEqual([]);
  expect(
    listProblems([anchor(10), anchor(20, { previous: 20 })], { lastWritten: { epoch: 1, sequence: 20 } }),
  ).toEqual([gone(20)]);
  expect(listProblems([])).toEqual(['No anchor of the log is in the artifact store.']);
  expect(listProblems([], { entries: 0 })).toEqual([]);
});

test('only the last 32 anchors need the one before them', () => {
  const many = Array.from({ length: 33 }, (_, index) => anchor(index + 2, { previous: index + 1 }));
  const hashes = new Map(many.map(({ sequence, hash }) => [sequence, hash]));
  const rest = { hashes, lastWritten: { epoch: 1, sequence: 34 } };
  expect(listProblems(many, rest)).toEqual([]);
  expect(listProblems(many.slice(1), rest)).toEqual([
    'The anchor of entry 2 was taken out of the artifact store.',
  ]);
});

test('a restore discards the entries after its backup, and no earlier ones', () => {
  const restored = anchor(25, {
    epoch: 2,
    previous: null,
    continues: { sequence: 20 } as never,
    hash: 'hash-25',
  });
  const all = [...anchors, restored];
  const hashes = new Map([
    [10, 'hash-10'],
    [20, 'hash-20'],
    [25, 'hash-25'],
  ]);
  const after = { entries: 25, hashes, lastWritten: { epoch: 2, sequence: 25 } };
  expect(compareAnchors({ anchors: all, bad: [] }, log(after))).toMatchObject({
    restored: [{ at: at(25), givenUp: 10 }],
    problems: [],
  });
  expect(listProblems(all, { ...after, hashes: new Map([...hashes, [20, 'another']]) })).toHaveLength(1);
});

test('an anchor that cannot be read is named with its problem', () => {
  expect(listProblems(anchors, {}, [{ name: 'audit-1', problem: 'is not signed' }])).toEqual([
    'The anchor audit-1 is not signed.',
  ]);
});
