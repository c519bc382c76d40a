import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** A real OpenID provider on this machine, which issues id tokens to pipelines. */
export interface OpenIdProvider {
  issuer: string;
  asked: string[];
  /** Replaces the provider's responses. Null: normal operation. */
  manner: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** An id token for the pipeline with this subject. */
  idToken(subject: string, audience: string, claims?: object): Promise<string>;
  sign(
    claims: JWTPayload,
    header?: { alg?: string; kid?: string },
    key?: CryptoKey | Uint8Array,
  ): Promise<string>;
  publicKey(): JWK;
  /** Replaces the signing key; the old one is gone. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

const SECRET = 'the secret of every client of this test';

/** Stateless, and accepts every client: issued tokens are not stored. */
class Adapter {
  private readonly model: string;
  constructor(model: string) {
    this.model = model;
  }
  upsert = () => Promise.resolve();
  find = (id: string) =>
    Promise.resolve(
      this.model === 'Client'
        ? {
            client_id: id,
            client_secret: SECRET,
            grant_types: ['client_credentials'],
            redirect_uris: [],
            response_types: [],
            token_endpoint_auth_method: 'client_secret_post' as const,
          }
        : undefined,
    );
  findByUserCode = () => Promise.resolve(undefined);
  findByUid = () => Promise.resolve(undefined);
  consume = () => Promise.resolve();
  destroy = () => Promise.resolve();
  revokeByGrantId = () => Promise.resolve();
}

/** It warns on every Node release that is not LTS yet. */
async function importProvider() {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return (await import('oidc-provider')).default;
  } finally {
    console.warn = warn;
  }
}

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const Provider = await importProvider();
  const claimsByToken = new Map<string, object>();
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  let [keys, count] = [await makeKeys(1), 1];
  const server = createServer((request, response) => {
    provider.asked.push(request.url ?? '');
    if (provider.manner) provider.manner(request, response);
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function begin(): void {
    handle = new Provider(issuer, {
      adapter: Adapter,
      jwks: { keys: [keys.jwk] },
      cookies: { keys: ['a key'] },
      ttl: { ClientCredentials: 300 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx, resource) => ({
            scope: '',
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      extraTokenClaims: (_ctx, token) => claimsByToken.get(token.clientId ?? '') as Record<string, unknown>,
    }).callback();
  }
  begin();

  const provider: OpenIdProvider = {
    issuer,
    asked: [],
    manner: null,
    async idToken(subject, audience, claims = {}) {
      claimsByToken.set(subject, claims);
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: subject,
          client_secret: SECRET,
          resource: audience,
        }),
      });
      const answer = (await response.json()) as { access_token?: string };
      if (!answer.access_token) throw new Error(`The provider gives no token: ${JSON.stringify(answer)}`);
      return answer.access_token;
    },
    sign: (claims, { alg = 'RS256', kid = keys.kid } = {}, key = keys.secret) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key),
    publicKey: () => {
      const { kty, n, e, kid } = keys.jwk;
      return { kty, ...(n ? { n } : {}), ...(e ? { e } : {}), ...(kid ? { kid } : {}) } as JWK;
    },
    async rotate() {
      count += 1;
      keys = await makeKeys(count);
      begin();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
}

async function makeKeys(number: number) {
  const { privateKey: secret } = await generateKeyPair('RS256', { extractable: true });
  const kid = `key-${number}`;
  return { kid, secret, jwk: { ...(await exportJWK(secret)), kid, alg: 'RS256', use: 'sig' } };
}
