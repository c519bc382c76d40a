import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '@site/contract';
import { sharedSite } from './shared-site.ts';
import type { StoredRows } from './stored-rows.ts';

export interface TokenContents {
  user_unique_id: string;
  exp?: number;
  iat?: number;
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Creates a guest at the gateway, like an earlier visit. @returns its id. */
export async function createGuest(): Promise<string> {
  const id = randomUUID();
  const response = await fetch(`${sharedSite().gateway}guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', appid: 'site-gateway' },
    body: JSON.stringify({ unique_id: id, user_unique_id: id }),
  });
  if (!response.ok) throw new Error(`The gateway did not create a guest: ${await response.text()}`);
  return id;
}

/** A token signed with the gateway's key; only the times differ. */
export async function signToken(stored: StoredRows, contents: TokenContents): Promise<string> {
  const { kid, private_jwk: key } = await stored.signingKey();
  const text = [
    { alg: 'EdDSA', kid, typ: 'JWT' },
    { iss: TOKEN_ISSUER, aud: TOKEN_AUDIENCE, ...contents },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign(null, Buffer.from(text), createPrivateKey({ key, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}

export function readToken(token: string): TokenContents {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as TokenContents;
}

export async function tokenCookie(context: BrowserContext) {
  return (await context.cookies()).find(({ name }) => name === 'authToken');
}

export async function setTokenCookie(context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([
    { name: 'authToken', value: token, url: sharedSite().url, secure: true, sameSite: 'Lax' },
  ]);
}
