import { chain, firstBrokenEntry, GENESIS_HASH, type ChainedAuditEntry } from './audit-chain.ts';

function threeEntries(): ChainedAuditEntry[] {
  const entries: ChainedAuditEntry[] = [];
  for (const sequence of [1, 2, 3]) {
    const entry = {
      sequence,
      at: `2026-01-0${sequence}T00:00:00.000Z`,
      by: 'ops',
      action: 'release.activated',
      subject: `r${sequence}`,
      details: { reason: 'a test', apps: { shell: '1', 'mfe-a': '2' } },
    };
    entries.push(chain(entry, entries.at(-1)?.hash ?? GENESIS_HASH));
  }
  return entries;
}

test('an untouched log is whole', () => {
  expect(firstBrokenEntry(threeEntries())).toBeNull();
  expect(firstBrokenEntry([])).toBeNull();
});

test('the order of keys, which a database may change, does not matter', () => {
  const entries = threeEntries().map((entry) => ({
    ...entry,
    details: { apps: { 'mfe-a': '2', shell: '1' }, reason: 'a test' },
  }));
  expect(firstBrokenEntry(entries)).toBeNull();
});

test('an entry that was changed, removed or moved breaks the chain there', () => {
  const [first, second, third] = threeEntries() as [ChainedAuditEntry, ChainedAuditEntry, ChainedAuditEntry];
  expect(firstBrokenEntry([first, { ...second, by: 'nobody' }, third])).toBe(2);
  expect(firstBrokenEntry([first, third])).toBe(3);
  expect(firstBrokenEntry([second, third])).toBe(2);
  const forged = chain({ ...second, by: 'nobody' }, first.hash);
  expect(firstBrokenEntry([first, forged, third])).toBe(3);
});
