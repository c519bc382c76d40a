import { SignJWT } from 'jose';
import type { Kysely } from 'kysely';
import { PREVIEW_ALGORITHM, PREVIEW_AUDIENCE, type PreviewClaims } from '@site/contract';
import type { RegistryTables } from '../database/tables.ts';
import { signingKey } from './key-ring.ts';
import type { PreviewRow } from './preview.repository.ts';

/** The token of a preview link. It says what it is for, so that an edge needs nothing but the public keys to judge it. */
export async function signPreview(
  db: Kysely<RegistryTables>,
  preview: PreviewRow,
  now: Date,
): Promise<string> {
  const { kid, key } = await signingKey(db, now);
  const { channel, app, version, dev } = preview;
  const claims: Pick<PreviewClaims, 'channel' | 'app' | 'version' | 'dev'> = {
    channel,
    app,
    ...(version === null ? {} : { version }),
    ...(dev === null ? {} : { dev }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: PREVIEW_ALGORITHM, kid, typ: 'JWT' })
    .setAudience(PREVIEW_AUDIENCE)
    .setJti(preview.id)
    .setIssuedAt(seconds(preview.created_at))
    .setExpirationTime(seconds(preview.expires_at))
    .sign(key);
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
