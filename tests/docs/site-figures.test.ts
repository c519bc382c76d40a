import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteFigures } from '../../mfe-marketing/src/api-console/site-figures.ts';

test("the home page's figures about this site are those of the benchmarks", async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8');
  const row = (...start: string[]): string[] => {
    const cells = text.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    const found = cells.find((line) => start.every((cell, index) => line[index] === cell));
    if (!found) throw new Error(`docs/benchmarks.md has no row "${start.join(' | ')}".`);
    return found;
  };
  const home = row('/home');
  expect(siteFigures.map(({ value }) => value)).toEqual([
    `${row('guest creation', 'PostgreSQL')[4]} ms`,
    `${row('roll one remote back')[2]} ms`,
    `${home[6]?.replace(/ \(.*/, '')} KB`,
    `${home[1]} ms`,
  ]);
});
