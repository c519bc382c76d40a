import { isConnectionReset, tlsProblem, isResponseTimeout, isUnreachable } from './fetch-errors.ts';

/** As `fetch` throws it. */
const failure = (cause?: object) => new TypeError('fetch failed', { cause });

test.each([
  ['ECONNREFUSED', true],
  ['ENOTFOUND', true],
  ['UND_ERR_CONNECT_TIMEOUT', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['SELF_SIGNED_CERT_IN_CHAIN', true],
  ['EPROTO', true],
  ['ECONNRESET', false],
  ['UND_ERR_SOCKET', false],
  ['UND_ERR_HEADERS_TIMEOUT', false],
])('a request that failed with %s did not get there: %s', (code, isSo) => {
  expect(isUnreachable(failure({ code }))).toBe(isSo);
});

test('a request that got nowhere on any address did not get there, and neither did one that fetch refused', () => {
  expect(isUnreachable(failure({ errors: [{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH' }] }))).toBe(true);
  expect(isUnreachable(failure())).toBe(true);
});

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not speak https'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the server does not speak https'],
  ['EPROTO', 'the server does not speak https'],
  ['CERT_HAS_EXPIRED', 'its certificate is not accepted (CERT_HAS_EXPIRED)'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ['XEPROTO', null],
  ['EPROTONOSUPPORT', null],
  ['ECONNREFUSED', null],
])('%s is a problem of TLS: %s', (code, problem) => {
  expect(tlsProblem(failure({ code }))).toBe(problem);
});

test.each([
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['UND_ERR_SOCKET', true],
  ['XEPIPE', false],
  ['UND_ERR_SOCKET_X', false],
  ['ECONNREFUSED', false],
])('a connection that ended with %s broke off: %s', (code, isSo) => {
  expect(isConnectionReset(failure({ code }))).toBe(isSo);
});

test('an answer that does not begin took too long', () => {
  expect(isResponseTimeout(failure({ code: 'UND_ERR_HEADERS_TIMEOUT' }))).toBe(true);
  expect(isResponseTimeout(failure({ code: 'UND_ERR_BODY_TIMEOUT' }))).toBe(false);
});
