import { chain, GENESIS_HASH } from './audit-chain.ts';

const first = {
  sequence: 1,
  at: '2026-01-01T00:00:00.000Z',
  by: 'ops',
  action: 'release.activated',
  subject: 'r1',
  details: { reason: 'a test', apps: { shell: '1', 'mfe-a': '2' } },
};
const second = { ...first, sequence: 2, subject: 'r2' };
const { hash } = chain(first, GENESIS_HASH);

test('is independent of key order, which a database may change', () => {
  const details = { apps: { 'mfe-a': '2', shell: '1' }, reason: 'a test' };
  expect(chain({ ...first, details }, GENESIS_HASH).hash).toBe(hash);
});

test.each([
  ['sequence', { ...first, sequence: 2 }],
  ['at', { ...first, at: '2026-01-02T00:00:00.000Z' }],
  ['by', { ...first, by: 'nobody' }],
  ['action', { ...first, action: 'release.rollback' }],
  ['subject', { ...first, subject: 'r3' }],
  ['details', { ...first, details: { ...first.details, reason: 'another' } }],
])('a changed "%s" changes the hash of its entry and of the next one', (_field, changed) => {
  const forged = chain(changed, GENESIS_HASH).hash;
  expect(forged).not.toBe(hash);
  expect(chain(second, forged).hash).not.toBe(chain(second, hash).hash);
});
