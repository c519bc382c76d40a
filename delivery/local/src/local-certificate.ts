import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { once } from 'node:events';
import type { Certificate } from '@site/edge/server/listen';
import { listenAddresses, listenAtOtherAddresses } from '@site/contract/loopback';
import { generate } from 'selfsigned';
import { unusable } from './data-dir.ts';

const VALID_DAYS = 397;
const DAY_MS = 86_400_000;

/**
 * For `localhost`, in the data folder. Renewed a week before it expires. @throws ConfigError if the folder is not
 * writable.
 */
export async function localCertificate(dataDir: string): Promise<Certificate> {
  const path = join(dataDir, 'localhost.pem.json');
  const kept = await readFile(path, 'utf8').then(usable, () => null);
  if (kept) return kept;
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS),
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  const certificate = { cert: made.cert, key: made.private };
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, JSON.stringify(certificate), { mode: 0o600 });
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
  return certificate;
}

/** Null for a damaged certificate or one that expires within a week. */
function usable(text: string): Certificate | null {
  try {
    const certificate = JSON.parse(text) as Certificate;
    const expires = new X509Certificate(certificate.cert).validToDate.getTime();
    return expires - Date.now() > 7 * DAY_MS ? certificate : null;
  } catch {
    return null;
  }
}

export async function startTlsTerminator(
  { cert, key }: Certificate,
  { port, host, target }: { port: number; host: string; target: string },
): Promise<{ close(): Promise<void> }> {
  const { hostname, port: targetPort } = new URL(target);
  const upstreamHost = hostname.replace(/^\[|\]$/g, '');
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (client) => {
    const upstream = connect(Number(targetPort), upstreamHost);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  // Browsers that reject the certificate close the connection.
  server.on('tlsClientError', () => undefined);
  server.listen({ port, host: listenAddresses(host)[0] });
  await once(server, 'listening');
  const others = await listenAtOtherAddresses(server, { port, host });
  return {
    async close() {
      const closed = [once(server, 'close'), others.close()];
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}
