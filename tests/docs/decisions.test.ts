import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, textOf } from './read-documents.ts';

/** Holds the decisions to one template, and the list of them to what there is. */
const folder = join('docs', 'decisions');
const decisions = readdirSync(join(root, folder)).map((name) => {
  const text = textOf(join(folder, name));
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  return { name, number: Number(name.slice(0, 4)), title, text };
});

/** The numbers that a line of the head links to. */
const linked = (text: string, line: RegExp) =>
  [...(line.exec(text)?.[1] ?? '').matchAll(/\]\((\d{4})-/g)].map(([, number]) => Number(number));

test.each(decisions)('$name has number and title, status, date and the three parts', ({ number, text }) => {
  expect(text.split('\n')[0]).toMatch(new RegExp(`^# ${number}\\. \\S`));
  expect(text).toMatch(
    /^- Status: (?:proposed|accepted|(?:accepted, amended|superseded) by \[\d+\]\(\d{4}-[\w-]+\.md\)(?:, \[\d+\]\(\d{4}-[\w-]+\.md\))*)$/m,
  );
  expect(text).toMatch(/^- Date: \d{4}-\d\d-\d\d$/m);
  const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
});

test('no two decisions have one number', () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('a decision that amends or supersedes another says so, and the other one does', () => {
  const by = decisions.flatMap(({ number, text }) =>
    linked(text, /^- Status: .*(?:amended|superseded) by (.+)$/m).map(
      (later) => `${later} changes ${number}`,
    ),
  );
  const changes = decisions.flatMap(({ number, text }) =>
    linked(text, /^- (?:Amends|Supersedes): (.+)$/m).map((former) => `${number} changes ${former}`),
  );
  expect(changes.sort()).toEqual(by.sort());
});

test('docs/architecture.md leads to every decision, under its title', () => {
  const listed = [...textOf('docs/architecture.md').matchAll(/^- \[\d+\]\(decisions\/(.+?)\) (.+)$/gm)];
  const expected = decisions.map(({ name, title }) => `${name} ${title.replace(/^\d+\. /, '')}`);
  expect(listed.map(([, name = '', title = '']) => `${basename(name)} ${title}`).sort()).toEqual(
    expected.sort(),
  );
});
