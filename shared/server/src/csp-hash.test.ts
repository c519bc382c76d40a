import { cspHash } from './csp-hash.ts';

test("equals the hash of the specification's example", () => {
  // https://www.w3.org/TR/CSP2/#script-src-hash-usage
  expect(cspHash("alert('Hello, world.');")).toBe('sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=');
});
