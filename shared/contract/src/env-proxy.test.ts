import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A separate process, because the proxy applies to a whole process. */
async function fetchStatus(url: string, env: NodeJS.ProcessEnv): Promise<string> {
  const module = JSON.stringify(join(import.meta.dirname, 'env-proxy.ts'));
  const script = `import { configureProxy } from ${module}; configureProxy(process.env);
    console.log(await fetch(${JSON.stringify(url)}).then((answer) => answer.text(), (error) => error.cause.code));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  return stdout.trim();
}

test('requests go through the proxy of the environment, except to NO_PROXY and this machine', async () => {
  const direct = createServer((_request, response) => response.end('direct'));
  const proxy = createServer((_request, response) => response.end('through the proxy'));
  proxy.on('connect', (_request, client) => {
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    proxy.emit('connection', client);
  });
  try {
    for (const server of [direct, proxy]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const at = (server: typeof proxy) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { HTTP_PROXY: at(proxy), NO_PROXY: 'other.invalid' };
    const urls = ['http://registry.invalid:8083/', 'http://other.invalid:8083/', `${at(direct)}/`];
    expect(await Promise.all(urls.map((url) => fetchStatus(url, env)))).toEqual([
      'through the proxy',
      expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/),
      'direct',
    ]);
  } finally {
    direct.close();
    proxy.close();
  }
});
