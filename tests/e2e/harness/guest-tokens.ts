import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '@site/contract';
import { sharedSite } from './shared-site.ts';
import type { StoredRows } from './stored-rows.ts';

/** What a test reads from a token. Times in seconds. */
export interface TokenContents {
  user_unique_id: string;
  exp?: number;
  iat?: number;
}

/** The present, as tokens count it. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Creates a guest at the gateway, as an earlier visit would have, and gives its id. */
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

/** A token that the gateway could have signed itself, with its own key: only the times are ours. */
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

/** What a token says, its signature unchecked. */
export function readToken(token: string): TokenContents {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as TokenContents;
}

/** The visitor's `authToken` cookie, if there is one. */
export async function tokenCookie(context: BrowserContext) {
  return (await context.cookies()).find(({ name }) => name === 'authToken');
}

/** Puts a token where an earlier visit would have left it. */
export async function setTokenCookie(context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([
    { name: 'authToken', value: token, url: sharedSite().url, secure: true, sameSite: 'Lax' },
  ]);
}
