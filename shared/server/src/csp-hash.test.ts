import { cspHash } from './csp-hash.ts';

test('is the hash that the specification has of its example', () => {
  // https://www.w3.org/TR/CSP2/#script-src-hash-usage
  expect(cspHash("alert('Hello, world.');")).toBe('sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=');
});
