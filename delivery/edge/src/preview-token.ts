import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from 'jose';
import * as v from 'valibot';
import { PREVIEW_ALGORITHM, PREVIEW_AUDIENCE, PreviewClaimsSchema, type PreviewClaims } from '@site/contract';
import { messageOf, type EdgeLog } from './log.ts';

export type CheckedToken =
  | { claims: PreviewClaims }
  /** `unavailable`: neither the registry nor the disk has the keys to check it with. */
  | { problem: 'invalid' | 'over' | 'unavailable' };

export interface PreviewTokens {
  /** Checks signature, audience, channel and expiry. Never rejects. */
  check(token: string): Promise<CheckedToken>;
}

export interface PreviewTokensOptions {
  channel: string;
  fetchKeys(): Promise<JSONWebKeySet>;
  /** Where the keys are kept, so that links work while the registry is away. */
  folder: string;
  now(): number;
  log: EdgeLog;
}

const longestToken = 4_096;
const rememberedTokens = 200;
/** Forged links must not become a flood of requests to the registry. */
const refetchAfterMs = 5_000;
/** A key that the registry took back is not trusted for longer than this. */
const keysLastMs = 5 * 60_000;

export function createPreviewTokens(options: PreviewTokensOptions): PreviewTokens {
  const { channel, now, log } = options;
  const file = join(options.folder, 'preview-keys.json');
  const checked = new Map<string, PreviewClaims>();
  let keys: JSONWebKeySet | null = null;
  let fetchedAt = -Infinity;
  let fetching: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    fetchedAt = now();
    try {
      keys = await options.fetchKeys();
      await keep(keys);
    } catch (error) {
      log.warn({ problem: messageOf(error) }, 'the keys of preview links could not be fetched');
      keys ??= await readKept();
    }
  }

  async function keep(fresh: JSONWebKeySet): Promise<void> {
    await mkdir(options.folder, { recursive: true });
    await writeFile(`${file}.tmp`, JSON.stringify(fresh));
    await rename(`${file}.tmp`, file);
  }

  async function readKept(): Promise<JSONWebKeySet | null> {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as JSONWebKeySet;
    } catch {
      return null;
    }
  }

  async function freshKeys(withinMs: number): Promise<JSONWebKeySet | null> {
    if (now() - fetchedAt >= (keys ? withinMs : refetchAfterMs))
      fetching ??= refresh().finally(() => (fetching = null));
    await fetching;
    return keys;
  }

  async function verify(token: string, withKeys: JSONWebKeySet): Promise<PreviewClaims> {
    const { payload } = await jwtVerify(token, createLocalJWKSet(withKeys), {
      audience: PREVIEW_AUDIENCE,
      algorithms: [PREVIEW_ALGORITHM],
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(now()),
    });
    const claims = v.parse(PreviewClaimsSchema, payload);
    if (claims.channel !== channel) throw new Error(`It is for the channel ${claims.channel}.`);
    // The dev server of the shell is no part of a page that the edge puts together.
    if (claims.dev !== undefined && claims.app === 'shell')
      throw new Error('Only a remote can come from a dev server.');
    return claims;
  }

  async function verifyFresh(token: string): Promise<CheckedToken> {
    for (const withinMs of [keysLastMs, refetchAfterMs]) {
      const usable = await freshKeys(withinMs);
      if (!usable) return { problem: 'unavailable' };
      try {
        const claims = await verify(token, usable);
        checked.set(token, claims);
        for (const oldest of checked.keys()) {
          if (checked.size <= rememberedTokens) break;
          checked.delete(oldest);
        }
        return { claims };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { problem: 'over' };
        // Signed with a key that is newer than those known here, perhaps.
        if (!(error instanceof errors.JWKSNoMatchingKey)) return { problem: 'invalid' };
      }
    }
    return { problem: 'invalid' };
  }

  return {
    async check(token) {
      if (token.length > longestToken) return { problem: 'invalid' };
      const known = checked.get(token);
      if (!known) return verifyFresh(token);
      return known.exp * 1000 > now() ? { claims: known } : { problem: 'over' };
    },
  };
}
