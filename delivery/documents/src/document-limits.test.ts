import { documentLimits, versionLimits, type RemoteManifest } from '@site/contract';
import { createDocumentLimits, documentProblem, tableProblem } from './document-limits.ts';

const remote = { app: 'mfe-blocks', version: '1.0.0-3f2a9c01b7de' } as RemoteManifest;
const problem = (bytes: number, before = 0) => documentProblem(remote, '/blocks', bytes, before);

test('accepts a document of exactly the maximum size', () => {
  expect(problem(documentLimits.bytes)).toBeNull();
  expect(problem(documentLimits.bytes + 1)).toContain(`the limit is ${documentLimits.bytes}.`);
});

test('accepts documents of a version of exactly the maximum total size', () => {
  expect(problem(10, versionLimits.bytes - 10)).toBeNull();
  expect(problem(11, versionLimits.bytes - 10)).toContain(
    `the limit for a version is ${versionLimits.bytes}.`,
  );
});

test('accepts a table of exactly the maximum size', () => {
  expect(tableProblem(documentLimits.tableBytes)).toBeNull();
  expect(tableProblem(documentLimits.tableBytes + 1)).toContain(`at most ${documentLimits.tableBytes}.`);
});

test('counts the bytes of each remote separately', () => {
  const limits = createDocumentLimits();
  const add = (app: string) =>
    limits.add(
      { ...remote, app },
      { path: `/${app}` } as RemoteManifest['pages'][number],
      documentLimits.bytes,
    );
  const most = Math.floor(versionLimits.bytes / documentLimits.bytes);
  for (let count = 0; count < most; count += 1) add('mfe-blocks');
  expect(() => add('mfe-blocks')).toThrow('the limit for a version');
  expect(() => add('mfe-partners')).not.toThrow();
});
