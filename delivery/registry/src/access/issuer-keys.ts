import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import { boundedText } from '@site/server/bounded-text';
import { registryErrors } from '../kernel/registry-errors.ts';
import { MINUTE_MS } from '@site/server/durations';

/** Maximum time that a withdrawn key is still trusted. */
const KEPT_MS = 10 * MINUTE_MS;
/** Minimum time between refreshes for unknown key ids, which anyone can make up. */
const AGAIN_MS = 30_000;
const FAILED_MS = 5_000;
const WITHIN_MS = 5_000;
const MOST_BYTES = 256 * 1024;

/** @throws ApiError `issuer_unavailable`. */
export type IssuerKeys = (issuer: string) => JWTVerifyGetKey;

interface Kept {
  keys: JWTVerifyGetKey;
  at: number;
}

/**
 * Call it only for issuers in the trusts, so that requests cannot direct the registry to arbitrary addresses.
 * Concurrent requests for an issuer are shared.
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
 */
export function createIssuerKeys(now: () => Date): IssuerKeys {
  const kept = new Map<string, Kept>();
  const failed = new Map<string, { error: Error; at: number }>();
  const underWay = new Map<string, Promise<Kept>>();

  function read(issuer: string): Promise<Kept> {
    const failure = failed.get(issuer);
    if (failure && now().getTime() - failure.at < FAILED_MS) return Promise.reject(failure.error);
    const waiting = underWay.get(issuer);
    if (waiting) return waiting;
    const reading = readKeys(issuer)
      .then((keys) => {
        const fresh = { keys: createLocalJWKSet(keys), at: now().getTime() };
        kept.set(issuer, fresh);
        failed.delete(issuer);
        return fresh;
      })
      .catch((error: unknown) => {
        const refusal = unavailable(issuer, error);
        failed.set(issuer, { error: refusal, at: now().getTime() });
        throw refusal;
      })
      .finally(() => underWay.delete(issuer));
    underWay.set(issuer, reading);
    return reading;
  }

  return (issuer) => async (header, token) => {
    const known = kept.get(issuer);
    const current = known && now().getTime() - known.at < KEPT_MS ? known : await read(issuer);
    try {
      return await current.keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || now().getTime() - current.at < AGAIN_MS) throw error;
      return (await read(issuer)).keys(header, token);
    }
  };
}

const KeysSchema = v.object({
  keys: v.pipe(v.array(v.looseObject({ kty: v.string() })), v.maxLength(100)),
});

async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const discovery = await readJson(
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    v.object({ issuer: v.literal(issuer), jwks_uri: v.pipe(v.string(), v.url()) }),
  );
  // SSRF: an issuer must not direct the registry to other servers, such as those in its own network.
  const { origin } = new URL(discovery.jwks_uri);
  if (origin !== new URL(issuer).origin) {
    throw new Unusable(
      `they are at ${origin} and not at its own origin, where alone this registry reads keys: its ` +
        'pipelines need a token of the team',
    );
  }
  return readJson(discovery.jwks_uri, KeysSchema);
}

/** The message is safe to show to anyone. */
class Unusable extends Error {}

async function readJson<Schema extends v.GenericSchema>(
  url: string,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN_MS),
    headers: { accept: 'application/json', 'user-agent': 'site-registry' },
  });
  if (!response.ok) {
    await response.body?.cancel();
    const isElsewhere = response.status >= 300 && response.status < 400;
    throw new Unusable(
      `it answers ${response.status}${isElsewhere ? ', and redirects are not followed' : ''}`,
    );
  }
  const text = await boundedText(response, MOST_BYTES);
  if (text === null) throw new Unusable(`its answer has more than ${MOST_BYTES} bytes`);
  const read = v.safeParse(jsonText(schema), text);
  if (read.success) return read.output;
  throw new Unusable('its answer is not valid OpenID Connect metadata');
}

function unavailable(issuer: string, error: unknown): Error {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const why =
    error instanceof Unusable
      ? error.message
      : name === 'TimeoutError'
        ? `it does not answer within ${WITHIN_MS / 1000} s`
        : `it cannot be reached${cause?.code ? ` (${cause.code})` : ''}`;
  return registryErrors.issuer_unavailable(`The keys of ${issuer} cannot be read: ${why}.`, { cause: error });
}
