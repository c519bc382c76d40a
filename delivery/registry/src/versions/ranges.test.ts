import { describeUnmetRange, unmetRanges } from './ranges.ts';

const remote = (requires: Record<string, string>) => ({
  app: 'mfe-blocks',
  version: '1.0.0-000000000001',
  requires,
});
const shell = { provides: { react: '19.3.0', '@site/kit': '1.4.0' } };

test('ranges that the shell satisfies are met', () => {
  expect(unmetRanges(remote({ react: '^19.0.0', '@site/kit': '^1.2.0 || ^2.0.0' }), shell)).toEqual([]);
});

test('a newer major version than the shell offers is unmet', () => {
  const [unmet] = unmetRanges(remote({ react: '^20.0.0' }), shell);
  expect(unmet && describeUnmetRange(unmet)).toBe(
    'mfe-blocks@1.0.0-000000000001 needs react ^20.0.0, the shell offers 19.3.0',
  );
});

test('a newer minor version than the shell offers is unmet', () => {
  expect(unmetRanges(remote({ '@site/kit': '^1.5.0' }), shell)).toHaveLength(1);
});

test('a shell that declares no versions of contract and components has their first versions', () => {
  expect(unmetRanges(remote({ '@site/contract': '^1.0.0', '@site/ui': '^1.0.0' }), shell)).toEqual([]);
  expect(unmetRanges(remote({ '@site/contract': '^1.1.0', '@site/ui': '^1.1.0' }), shell)).toHaveLength(2);
  const newer = { provides: { ...shell.provides, '@site/contract': '1.1.3' } };
  expect(unmetRanges(remote({ '@site/contract': '^1.1.0' }), newer)).toEqual([]);
});

test('a package that the shell does not provide is unmet', () => {
  const [unmet] = unmetRanges(remote({ rxjs: '*' }), shell);
  expect(unmet).toMatchObject({ name: 'rxjs', offered: null });
});

test.each(['toString', 'hasOwnProperty', '__defineGetter__'])(
  'a package named like an Object.prototype property (%s) is unmet',
  (name) => {
    const [unmet] = unmetRanges(remote({ [name]: '*' }), shell);
    expect(unmet).toMatchObject({ name, offered: null });
  },
);

test('an invalid range is unmet rather than ignored', () => {
  expect(unmetRanges(remote({ react: 'latest please' }), shell)).toHaveLength(1);
});
