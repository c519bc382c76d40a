import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, readText } from './read-documents.ts';

/** Compares the decision records with their template, and their index with the records. */
const folder = join('docs', 'decisions');
const names = readdirSync(join(root, folder))
  .filter((name) => name !== 'README.md')
  .sort();
const records = names.map((name) => {
  const text = readText(join(folder, name));
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  return { name, number: Number(name.slice(0, 4)), title, text };
});

/** The numbers of the records that a header line links to. */
const linked = (text: string, line: RegExp) =>
  [...(line.exec(text)?.[1] ?? '').matchAll(/\]\((\d{4})-/g)].map(([, number]) => Number(number));

test.each(records)(
  '$name has a number and title, one status, one date and four parts',
  ({ number, text }) => {
    expect(text.split('\n')[0]).toMatch(new RegExp(`^# ${number}\\. \\S`));
    const header = text.slice(0, text.indexOf('\n## ')).match(/^- \w+: .+$/gm) ?? [];
    const [status, date, ...others] = header;
    expect(status).toMatch(/^- Status: (?:proposed|accepted|superseded by \[\d+\]\(\d{4}-[\w-]+\.md\))$/);
    expect(date).toMatch(/^- Date: \d{4}-\d\d-\d\d$/);
    expect(others.filter((line) => !line.startsWith('- Supersedes: ['))).toEqual([]);
    const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(parts).toEqual(['Context', 'Decision', 'Alternatives considered', 'Consequences']);
  },
);

test('records are numbered from 1 without gaps or duplicates', () => {
  expect(records.length).toBeGreaterThan(0);
  expect(records.map(({ number }) => number)).toEqual(records.map((_, index) => index + 1));
});

test('a record and the one that supersedes it link to each other', () => {
  const by = records.flatMap(({ number, text }) =>
    linked(text, /^- Status: superseded by (.+)$/m).map((later) => `${later} supersedes ${number}`),
  );
  const supersedes = records.flatMap(({ number, text }) =>
    linked(text, /^- Supersedes: (.+)$/m).map((earlier) => `${number} supersedes ${earlier}`),
  );
  expect(supersedes.sort()).toEqual(by.sort());
});

test('the index lists every record once, under its title', () => {
  const index = readText(join(folder, 'README.md'));
  const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, name]) => `${name} ${title}`);
  expect(listed.sort()).toEqual(records.map(({ name, title }) => `${name} ${title}`));
});
