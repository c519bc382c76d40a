import { createHmac } from 'node:crypto';
import type { ChannelName } from '@site/contract';
import { isHttpsOrLocal } from '@site/contract/urls';
import { ConfigError } from '@site/server/config';
import type { CacheId } from '../kernel/cache.repository.ts';
import type { OutgoingRequest } from '../kernel/send-request.ts';
import { webhookHeaders } from '../alerts/index.ts';

/** A cache in front of the edges, purged by `Surrogate-Key` or `Cache-Tag`. */
export interface Cache extends CacheId {
  /** The most keys that one request may name. */
  keysPerRequest: number;
  purge(keys: readonly string[], at: Date): OutgoingRequest;
}

interface Adapter {
  /** The variable with its secret. */
  key: keyof CacheKeys;
  isKey: RegExp;
  isTarget(target: string): boolean;
  example: string;
  /** Without secrets. */
  name(target: string): string;
  keysPerRequest: number;
  purge(
    sent: { target: string; key: string; channel: ChannelName; at: Date },
    keys: readonly string[],
  ): OutgoingRequest;
}

export interface CacheKeys {
  VARNISH_KEY?: string | undefined;
  FASTLY_KEY?: string | undefined;
  CLOUDFLARE_KEY?: string | undefined;
  PURGE_WEBHOOK_KEY?: string | undefined;
}

const json = { 'content-type': 'application/json', accept: 'application/json' };
/** Header values. */
const visible = /^[\x21-\x7e]{8,}$/;

const adapters: Record<string, Adapter> = {
  /** `deploy/varnish/`. */
  varnish: {
    key: 'VARNISH_KEY',
    isKey: visible,
    isTarget: (target) => URL.canParse(target) && /^https?:$/.test(new URL(target).protocol),
    example: 'varnish:http://10.0.0.5:6081',
    name: (target) => new URL(target).host,
    keysPerRequest: 200,
    purge: ({ target, key }, keys) => ({
      url: new URL('/', target).href,
      method: 'PURGE',
      headers: { authorization: `Bearer ${key}`, 'surrogate-key': keys.join(' ') },
    }),
  },
  /** https://www.fastly.com/documentation/reference/api/purging/ */
  fastly: {
    key: 'FASTLY_KEY',
    isKey: visible,
    isTarget: (target) => /^\w+$/.test(target),
    example: 'fastly:SU1Z0isxPaozGVKXdv0eY',
    name: (target) => target,
    keysPerRequest: 256,
    purge: ({ target, key }, keys) => ({
      url: `https://api.fastly.com/service/${target}/purge`,
      headers: { ...json, 'fastly-key': key },
      body: JSON.stringify({ surrogate_keys: keys }),
    }),
  },
  /** https://developers.cloudflare.com/api/resources/cache/methods/purge/ */
  cloudflare: {
    key: 'CLOUDFLARE_KEY',
    isKey: visible,
    isTarget: (target) => /^[0-9a-f]{32}$/.test(target),
    example: 'cloudflare:023e105f4ecef8ad9ca31a8372d0c353',
    name: (target) => target,
    keysPerRequest: 30,
    purge: ({ target, key }, keys) => ({
      url: `https://api.cloudflare.com/client/v4/zones/${target}/purge_cache`,
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ tags: keys }),
    }),
  },
  /** Signed like alerts: Standard Webhooks 1.0.0. */
  webhook: {
    key: 'PURGE_WEBHOOK_KEY',
    isKey: /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    isTarget: (target) => URL.canParse(target) && isHttpsOrLocal(new URL(target)),
    example: 'webhook:https://purge.example.com/site',
    name: (target) => new URL(target).host,
    keysPerRequest: 1_000,
    purge({ target, key, channel, at }, keys) {
      const data = { channel, keys };
      const body = JSON.stringify({ type: 'cache.purge', timestamp: at.toISOString(), data });
      const id = `purge_${createHmac('sha256', key).update(body).digest('hex').slice(0, 32)}`;
      return { url: target, headers: { ...json, ...webhookHeaders({ id, body, secret: key }, at) }, body };
    },
  },
};

/**
 * @param listed the values of `PURGE_PRODUCTION` and `PURGE_STAGING`, such as `varnish:http://10.0.0.5:6081`.
 * @throws ConfigError
 */
export function readCaches(listed: Record<ChannelName, readonly string[]>, keys: CacheKeys): Cache[] {
  const caches = (['production', 'staging'] as const).flatMap((channel) =>
    listed[channel].map((text) => readCache(channel, text, keys)),
  );
  const names = caches.map(({ channel, name }) => `${channel} ${name}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ConfigError(`A cache is listed twice: ${twice}. Remove one.`);
  return caches;
}

/** Kind and host: the rest may be secret. */
function shown(text: string): string {
  const [, start = '', authority = '', rest = ''] =
    /^((?:[a-z]+:)*(?:\/\/)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  return `${start}${authority.replace(/^.*@/s, '')}${rest.length > 1 ? '/…' : ''}`;
}

function readCache(channel: ChannelName, text: string, keys: CacheKeys): Cache {
  const variable = `PURGE_${channel.toUpperCase()}`;
  const [, kind = '', target = ''] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const adapter = Object.hasOwn(adapters, kind) ? adapters[kind] : undefined;
  if (!adapter?.isTarget(target)) {
    const examples = Object.values(adapter ? { adapter } : adapters).map(({ example }) => `"${example}"`);
    throw new ConfigError(
      `${variable} names "${shown(text)}", which is no cache, such as ${examples.join(' or ')}.`,
    );
  }
  const key = keys[adapter.key];
  if (key === undefined || !adapter.isKey.test(key))
    throw new ConfigError(
      `${adapter.key} ${key === undefined ? 'is missing' : 'is invalid'}: "${shown(text)}" in ${variable} needs it` +
        (kind === 'webhook' ? ', in the form "whsec_…" with at least 24 bytes in base64.' : '.'),
    );
  return {
    channel,
    name: `${kind} ${adapter.name(target)}`,
    keysPerRequest: adapter.keysPerRequest,
    purge: (names, at) => adapter.purge({ target, key, channel, at }, names),
  };
}
