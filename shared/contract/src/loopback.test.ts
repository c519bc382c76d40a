import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isOwnHost, refuseOtherHosts } from './loopback.ts';

test.each([
  ['localhost', true],
  ['LOCALHOST:8080', true],
  ['shop.localhost:80', true],
  ['127.0.0.1:8083', true],
  ['[::1]:8084', true],
  ['tunnel.example:443', true],
  ['attacker.example:8080', false],
  ['localhost.attacker.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.attacker.example', false],
  ['169.254.1.1', false],
  ['localhost:80@attacker.example', false],
  ['', false],
  [undefined, false],
])('the host %p is this machine: %p', (host, own) => {
  expect(isOwnHost(host, ['tunnel.example'])).toBe(own);
});

test('requests with other hosts are answered 421 and never handled', async () => {
  const handled: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    handled.push(headers.host);
    response.end();
  });
  refuseOtherHosts(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusFor = async (host: string) => {
    const [answer] = (await once(get({ port, host: '127.0.0.1', headers: { host } }), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    return answer.statusCode;
  };
  expect([await statusFor('attacker.example'), await statusFor('localhost')]).toEqual([421, 200]);
  expect(handled).toEqual(['localhost']);
  server.close();
});
