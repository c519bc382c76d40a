import { createAddressReader, clientNetwork } from './client-address.ts';

const call = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

test('without a proxy, X-Forwarded-For is ignored', () => {
  expect(createAddressReader(0)(call('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
});

test.each([
  [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  [2, '198.51.100.1, 203.0.113.7', '198.51.100.1'],
  [2, '192.0.2.1, 198.51.100.1, 203.0.113.7', '198.51.100.1'],
  [['10.0.0.0/8'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  [['10.0.0.0/8'], '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  [['192.0.2.0/24'], '198.51.100.1', '10.1.1.1'],
])('with the proxies %j, "%s" is %s', (proxies, forwarded, address) => {
  expect(createAddressReader(proxies)(call('10.1.1.1', forwarded))).toBe(address);
});

test.each([
  ['203.0.113.7:50001', '203.0.113.7'],
  ['"[2001:db8::7]:50001"', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7:443, ', '203.0.113.7'],
  // The proxy counts as the client, and never an entry that the client wrote.
  ['unknown', '10.1.1.1'],
  ['198.51.100.1, unknown', '10.1.1.1'],
  ['198.51.100.1, _hidden:80', '10.1.1.1'],
  ['203.0.113.7.:80', '10.1.1.1'],
  ['', '10.1.1.1'],
])('the entry %s in X-Forwarded-For is the client %s', (forwarded, address) => {
  expect(createAddressReader(1)(call('10.1.1.1', forwarded))).toBe(address);
});

test('a trusted network is recognized although its proxies add their ports', () => {
  const read = createAddressReader(['10.0.0.0/8']);
  expect(read(call('10.1.1.1', '203.0.113.7:50001, 10.9.9.9:443'))).toBe('203.0.113.7');
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:FFFF:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:2::1', '2001:db8:1:2'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', 'unknown'],
])('%s is one caller with all of %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
