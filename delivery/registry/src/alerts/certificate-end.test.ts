import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { selfSigned } from '@site/server/testing/self-signed';
import { certificateEnd } from './certificate-end.ts';

test('returns the expiry of the certificate that visitors get, even if it is not trusted', async () => {
  const certificate = selfSigned();
  const server = createServer(certificate);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const end = await certificateEnd(`https://localhost:${port}`);
    expect(end?.getTime()).toBe(Date.parse(new X509Certificate(certificate.cert).validTo));
    expect(await certificateEnd(`https://127.0.0.1:${port}`)).toEqual(end);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(await certificateEnd(`https://localhost:${port}`)).toBeNull();
});

test('returns null without TLS', async () => {
  expect(await certificateEnd('http://localhost:1')).toBeNull();
});
