import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
} from 'jose';
import * as v from 'valibot';
import { PREVIEW_ALGORITHM, PreviewClaimsSchema, type PreviewClaims } from '@site/contract';
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
  /** Tokens that are signed with one of `keys`, oldest first. */
  const checked = new Set<string>();
  let keys: JSONWebKeySet | null = null;
  let fetchedAt = -Infinity;
  let fetching: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    fetchedAt = now();
    try {
      const fresh = await options.fetchKeys();
      if (JSON.stringify(fresh) !== JSON.stringify(keys)) checked.clear();
      keys = fresh;
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

  /** What a token says, before anybody asks whether it is true. @throws Error when it cannot be one of ours. */
  function read(token: string): PreviewClaims {
    if (token.length > longestToken) throw new Error('It is too long.');
    if (decodeProtectedHeader(token).alg !== PREVIEW_ALGORITHM) throw new Error('It is signed otherwise.');
    const claims = v.parse(PreviewClaimsSchema, decodeJwt(token));
    if (claims.channel !== channel) throw new Error(`It is for the channel ${claims.channel}.`);
    // The dev server of the shell is no part of a page that the edge puts together.
    if (claims.dev !== undefined && claims.app === 'shell')
      throw new Error('Only a remote can come from a dev server.');
    return claims;
  }

  const isOver = ({ exp }: PreviewClaims) => exp * 1000 <= now();

  async function verify(token: string): Promise<'signed' | 'forged' | 'unavailable'> {
    for (const withinMs of [keysLastMs, refetchAfterMs]) {
      const usable = await freshKeys(withinMs);
      if (!usable) return 'unavailable';
      if (checked.has(token)) return 'signed';
      try {
        await compactVerify(token, createLocalJWKSet(usable), { algorithms: [PREVIEW_ALGORITHM] });
        // Newer keys may have come meanwhile, and this one may not be among them.
        if (usable === keys) remember(token);
        return 'signed';
      } catch (error) {
        // Signed with a key that is newer than those known here, perhaps.
        if (!(error instanceof errors.JWKSNoMatchingKey)) return 'forged';
      }
    }
    return 'forged';
  }

  function remember(token: string): void {
    checked.add(token);
    for (const oldest of checked) {
      if (checked.size <= rememberedTokens) break;
      checked.delete(oldest);
    }
  }

  return {
    async check(token) {
      let claims: PreviewClaims;
      try {
        claims = read(token);
      } catch {
        return { problem: 'invalid' };
      }
      // Neither needs the keys: what could never be shown must not wait for a registry that is away.
      if (isOver(claims)) return { problem: 'over' };
      const verdict = await verify(token);
      if (verdict === 'unavailable') return { problem: 'unavailable' };
      return verdict === 'signed' ? { claims } : { problem: 'invalid' };
    },
  };
}
