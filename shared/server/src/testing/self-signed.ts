import { generateKeyPairSync, sign } from 'node:crypto';
import { DAY_MS } from '../durations.ts';

/** An untrusted certificate, created for each run, so that no key is in the repository. */
export function selfSigned(host = 'localhost'): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const commonName = der(0x30, oid('550403'), der(0x0c, Buffer.from(host)));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, validity, name, subjectKey);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = der(0x30, body, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

/** A value in Distinguished Encoding Rules (X.690). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function time(at: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-T:]/g, '').slice(2, 14)}Z`));
}
