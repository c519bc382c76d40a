import { webhookHeaders } from '../alerts/index.ts';
import { readCaches } from './caches.ts';

const keys = {
  VARNISH_KEY: 'varnish-secret',
  FASTLY_KEY: 'fastly-secret',
  CLOUDFLARE_KEY: 'cloudflare-secret',
  PURGE_WEBHOOK_KEY: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
};
const at = new Date('2026-01-01T12:00:00Z');
const zone = '0123456789abcdef'.repeat(2);
const cacheAt = (text: string) => {
  const [cache] = readCaches({ production: [text], staging: [] }, keys);
  if (!cache) throw new Error('no cache');
  return cache;
};

interface Known {
  text: string;
  name: string;
  url: string;
  method?: string;
  /** With the secret. */
  header: [string, string];
  most: number;
  named(request: { headers: Record<string, string>; body?: string }): unknown;
}

const adapters: Known[] = [
  {
    text: 'varnish:http://10.0.0.5:6081',
    name: 'varnish 10.0.0.5:6081',
    url: 'http://10.0.0.5:6081/',
    method: 'PURGE',
    header: ['authorization', `Bearer ${keys.VARNISH_KEY}`],
    most: 200,
    named: ({ headers }) => headers['surrogate-key']?.split(' '),
  },
  {
    text: 'fastly:SU1Z0isxPaozGVKXdv0eY',
    name: 'fastly SU1Z0isxPaozGVKXdv0eY',
    url: 'https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge',
    header: ['fastly-key', keys.FASTLY_KEY],
    most: 256,
    named: ({ body }) => (JSON.parse(body ?? '') as { surrogate_keys: string[] }).surrogate_keys,
  },
  {
    text: `cloudflare:${zone}`,
    name: `cloudflare ${zone}`,
    url: `https://api.cloudflare.com/client/v4/zones/${zone}/purge_cache`,
    header: ['authorization', `Bearer ${keys.CLOUDFLARE_KEY}`],
    most: 30,
    named: ({ body }) => (JSON.parse(body ?? '') as { tags: string[] }).tags,
  },
  {
    text: 'webhook:https://purge.example.com/a/secret-path',
    name: 'webhook purge.example.com',
    url: 'https://purge.example.com/a/secret-path',
    header: ['webhook-signature', 'v1,'],
    most: 1_000,
    named: ({ body }) => (JSON.parse(body ?? '') as { data: { keys: string[] } }).data.keys,
  },
];

describe.each(adapters)('$text', ({ text, name, url, method, header: [header, secret], most, named }) => {
  const purged = ['mfe-blocks', 'site:table'];

  test('a request has the address, the method, the secret and the keys', () => {
    const request = cacheAt(text).purge(purged, at);
    expect(request).toMatchObject({ url, ...(method === undefined ? {} : { method }) });
    expect(request.method).toBe(method);
    expect(request.headers[header]?.startsWith(secret)).toBe(true);
    expect(named(request)).toEqual(purged);
    expect(cacheAt(text).keysPerRequest).toBe(most);
  });

  test('its name contains no secret', () => {
    expect(cacheAt(text).name).toBe(name);
  });

  test('a missing secret is an error that names the variable, not the secret', () => {
    const read = () => readCaches({ production: [], staging: [text] }, {});
    expect(read).toThrow(/^[A-Z_]+_KEY is missing: ".+" in PURGE_STAGING needs it/);
  });
});

test('a webhook is signed, and a repeated request has the same id', () => {
  const cache = cacheAt('webhook:https://purge.example.com');
  const { headers, body = '' } = cache.purge(['mfe-blocks'], at);
  const id = headers['webhook-id'] ?? '';
  expect(headers).toMatchObject(webhookHeaders({ id, body, secret: keys.PURGE_WEBHOOK_KEY }, at));
  expect(cache.purge(['mfe-blocks'], at).headers['webhook-id']).toBe(id);
});

test.each([
  ['akamai:site', 'PURGE_PRODUCTION names "akamai:site", which is no cache, such as "varnish:'],
  ['varnish:10.0.0.5', 'PURGE_PRODUCTION names "varnish:10.0.0.5", which is no cache, such as "varnish:http'],
  ['cloudflare:example.com', 'such as "cloudflare:'],
  ['webhook:http://purge.example.com', 'such as "webhook:https'],
  ['constructor:x', 'which is no cache'],
])('%s is rejected with an example', (text, problem) => {
  expect(() => readCaches({ production: [text], staging: [] }, keys)).toThrow(problem);
});

test.each([
  ['https://purge.example.com/secret-path', '"https://purge.example.com/…"'],
  ['webhook:http://user:secret-path@purge.example.com/?secret-path', '"webhook:http://purge.example.com/…"'],
  ['webhook:https://purge.example.com/secret-path', '"webhook:https://purge.example.com/…"'],
])('an error about %s shows its kind and host only', (text, shown) => {
  const read = () => readCaches({ production: [text], staging: [] }, {});
  expect(read).toThrow(shown);
  expect(read).not.toThrow('secret-path');
});

test('a cache listed twice is an error', () => {
  const text = 'fastly:one';
  expect(() => readCaches({ production: [text, text], staging: [] }, keys)).toThrow(
    'A cache is listed twice: production fastly one. Remove one.',
  );
});
