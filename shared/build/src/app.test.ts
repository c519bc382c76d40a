import { join } from 'node:path';
import { loadApp, narrowed } from './app.ts';

const root = join(import.meta.dirname, '../../..');

test.each([
  ['^1.0.0', '1.4.2', '^1.4.0'],
  ['^1.4.1', '1.4.2', '^1.4.1'],
  ['^1.0.0 || ^2.0.0', '1.4.2', '^1.4.0 || ^2.0.0 >=1.4.0'],
  ['>=1.0.0', '1.4.2', '>=1.0.0 >=1.4.0'],
  ['^1.4.0', '1.5.0-next.3', '^1.5.0-next.3'],
])('who may have %s and was built with %s needs %s', (range, installed, needed) => {
  expect(narrowed(range, installed)).toBe(needed);
});

test('the shell says exactly what it has, a remote what it needs of that, and both speak of the same packages', async () => {
  const shell = await loadApp(join(root, 'shell'));
  const remote = await loadApp(join(root, 'mfe-marketing'));
  expect(Object.keys(remote.sharedVersions)).toEqual(Object.keys(shell.sharedVersions));
  expect(Object.keys(shell.sharedVersions)).toEqual(['react', '@site/kit', '@site/contract', '@site/ui']);
  for (const version of Object.values(shell.sharedVersions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const range of Object.values(remote.sharedVersions)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
});
