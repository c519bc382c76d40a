import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = readFileSync(join(__dirname, 'theme.js'), 'utf8');
const root = document.documentElement;

function runBeforePaint(remembered: string | null) {
  delete root.dataset['theme'];
  localStorage.clear();
  if (remembered !== null) localStorage.setItem('theme', remembered);
  // The file is inline in <head>: run it like the browser.
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call
  new Function(source)();
}

test.each(['light', 'dark'])('a stored %s theme applies before the first paint', (theme) => {
  document.head.innerHTML =
    '<meta name="theme-color" content="light" media="(prefers-color-scheme: light)">' +
    '<meta name="theme-color" content="dark" media="(prefers-color-scheme: dark)">';
  runBeforePaint(theme);
  expect(root).toHaveAttribute('data-theme', theme);
  expect(document.querySelector('meta[media="all"]')).toHaveAttribute('content', theme);
  expect(document.querySelectorAll('meta[media="not all"]')).toHaveLength(1);
});

test.each([null, 'sepia', '"><script>'])('%j in storage results in the system theme', (remembered) => {
  runBeforePaint(remembered);
  expect(root).not.toHaveAttribute('data-theme');
});

test('blocked storage does not stop the page', () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(() => {
    runBeforePaint(null);
  }).not.toThrow();
});
