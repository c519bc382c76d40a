import { readFileSync } from 'node:fs';
import { join } from 'node:path';

test.each([
  ['#pricing', true],
  ['', false],
])('with the anchor "%s" a page is marked: %s', (hash, isMarked) => {
  history.replaceState(null, '', `/start${hash}`);
  delete document.documentElement.dataset['anchor'];
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- as the browser runs it
  new Function(readFileSync(join(__dirname, 'anchor.js'), 'utf8'))();
  expect(document.documentElement.hasAttribute('data-anchor')).toBe(isMarked);
});
