import { connect } from 'node:tls';

export type CertificateEnd = (origin: string) => Promise<Date | null>;

const WITHIN_MS = 5_000;

/** Connects to the TLS endpoint: an edge or its proxy. Invalid certificates also have an expiry. */
export const certificateEnd: CertificateEnd = (origin) => {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== 'https:') return Promise.resolve(null);
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port || 443),
      // SNI allows only names, not IP addresses.
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
      timeout: WITHIN_MS,
    });
    const end = (found: Date | null) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => {
      const until = new Date(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until.getTime()) ? null : until);
    });
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
};
