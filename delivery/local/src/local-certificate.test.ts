import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';
import { localCertificate, startTlsTerminator } from './local-certificate.ts';

test('the certificate is for this machine, and the next start reuses it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-certificate-'));
  const made = await localCertificate(folder);
  const certificate = new X509Certificate(made.cert);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(await localCertificate(folder)).toEqual(made);
});

test('a request over TLS reaches the HTTP server, and closing ends open connections', async () => {
  const certificate = await localCertificate(await mkdtemp(join(tmpdir(), 'site-certificate-')));
  const server = createServer((incoming, response) => response.end(`hello ${String(incoming.url)}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = await freePorts();
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const terminator = await startTlsTerminator(certificate, { port, host: 'localhost', target });

  const sent = request({ host: 'localhost', port, path: '/page', ca: certificate.cert });
  sent.end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  expect(text).toBe('hello /page');

  await terminator.close();
  server.close();
});
