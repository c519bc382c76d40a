import {
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomUUID,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { SECRET } from '@site/contract/secret.schema';
import { createSecret } from '@site/server/secrets';
import { StartError } from '@site/server/start-error';

/** The PKCS #8 prefix of every Ed25519 private key; 32 secret bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC = /^ed25519:([A-Za-z0-9_-]{43})$/;

export const AuditKeySchema = v.pipe(
  v.string(),
  v.regex(SECRET, 'It must be 43 base64url characters (256 random bits).'),
);
/** For `AUDIT_FORMER_KEYS`: a public key as printed by `site verify`. */
export const AuditPublicKeySchema = v.pipe(
  v.string(),
  v.regex(
    PUBLIC,
    'It must be a public key as "npx @site/cli verify" prints it: "ed25519:" and 43 characters.',
  ),
);

export interface AuditKey {
  publicKey: string;
  sign(text: string): string;
  /** Derives a 256-bit secret from a salt (`SECRET` in the contract), identical in every process with this key. */
  deriveSecret(salt: string): string;
}

export function createAuditKey(secret: string): AuditKey {
  const seed = Buffer.from(v.parse(AuditKeySchema, secret), 'base64url');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: `ed25519:${createPublicKey(key).export({ format: 'jwk' }).x ?? ''}`,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
    deriveSecret: (salt) =>
      Buffer.from(hkdfSync('sha256', seed, salt, 'one-time secret', 32)).toString('base64url'),
  };
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = parsePublicKey(publicKey);
  return key !== null && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

function parsePublicKey(publicKey: string): KeyObject | null {
  const x = PUBLIC.exec(publicKey)?.[1];
  return x ? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) : null;
}

export async function keptAuditSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'audit-key');
  const known = await readStoredSecret(path);
  if (known !== null) return known;
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  // Linked atomically; the first of several processes wins.
  await writeFile(temporary, `${createSecret()}\n`, { mode: 0o600, flush: true });
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return (await readStoredSecret(path)) ?? '';
}

async function readStoredSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(
      `The key in ${path} cannot be read (${message}). Give this user permission to read it.`,
      {
        cause,
      },
    );
  });
  if (text === null) return null;
  const parsed = v.safeParse(AuditKeySchema, text.trim());
  if (parsed.success) return parsed.output;
  throw new StartError(
    `The file ${path} does not hold the key that signs the audit log's anchors. Restore it from where you keep ` +
      'secrets, or delete it: a new one is made, and "npx @site/cli verify" reports the anchors of the old one.',
  );
}
