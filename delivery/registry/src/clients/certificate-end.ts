import { connect } from 'node:tls';

/** When the certificate that visitors of an origin are shown ends, or null when that cannot be found out. */
export type CertificateEnd = (origin: string) => Promise<Date | null>;

const WITHIN_MS = 5_000;

/** Asks whatever terminates TLS there: an edge, or what stands in front. One that is not valid has an end as well. */
export const certificateEnd: CertificateEnd = (origin) => {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== 'https:') return Promise.resolve(null);
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port || 443),
      // Names only: an IP address is not a server name.
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
