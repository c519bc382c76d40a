/** A guest of the console: in memory only, and never the visitor's own identity. */
export interface ConsoleGuest {
  id: string;
  token: string;
}

export type CallName = 'create' | 'read' | 'renew';
export type SampleLanguage = 'curl' | 'fetch' | 'typescript';

export interface Gateway {
  base: string;
  appId: string;
}

export const sampleLanguages = [
  { value: 'curl', label: 'curl' },
  { value: 'fetch', label: 'fetch' },
  { value: 'typescript', label: 'TypeScript' },
] as const satisfies readonly { value: SampleLanguage; label: string }[];

export const apiCalls = [
  { name: 'create', title: 'Create a guest', method: 'POST', path: 'guests' },
  { name: 'read', title: 'Read the guest', method: 'GET', path: 'guests/{id}' },
  { name: 'renew', title: 'Renew its token', method: 'POST', path: 'guests/{id}/auth' },
] as const satisfies readonly { name: CallName; title: string; method: string; path: string }[];

export interface ApiRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: Record<string, string>;
}

/** The request of a call. A creation uses a new `guest.id` and no token. */
export function apiRequest(name: CallName, gateway: Gateway, guest: ConsoleGuest): ApiRequest {
  const { id, token } = guest;
  const app = { appid: gateway.appId };
  const json = { 'Content-Type': 'application/json' };
  const authorized = { ...app, Authorization: `Bearer ${token}` };
  const own = `${gateway.base}guests/${encodeURIComponent(id)}`;
  switch (name) {
    case 'create':
      return {
        method: 'POST',
        url: `${gateway.base}guests`,
        headers: { ...app, ...json },
        body: { unique_id: id, user_unique_id: id },
      };
    case 'read':
      return { method: 'GET', url: own, headers: authorized };
    case 'renew':
      return {
        method: 'POST',
        url: `${own}/auth`,
        headers: { ...authorized, ...json },
        body: { guest_unique_id: id },
      };
  }
}

/** The call as source text. Before the first run, the shell and the code bring their own id and token. */
export function callSample(
  name: CallName,
  language: SampleLanguage,
  gateway: Gateway,
  guest: ConsoleGuest | null,
): string {
  return language === 'curl' ? curlSample(name, gateway, guest) : codeSample(name, language, gateway, guest);
}

function curlSample(name: CallName, { base, appId }: Gateway, guest: ConsoleGuest | null): string {
  const id = guest?.id ?? '$ID';
  const url = { create: 'guests', read: `guests/${id}`, renew: `guests/${id}/auth` }[name];
  const lines = [
    `curl -i${name === 'read' ? '' : ' -X POST'} "${base}${url}"`,
    `-H "appid: ${appId}"`,
    ...(name === 'create' ? [] : [`-H "Authorization: Bearer ${guest?.token ?? '$TOKEN'}"`]),
    ...(name === 'read' ? [] : ['-H "Content-Type: application/json"']),
    ...{
      create: [String.raw`-d "{\"unique_id\": \"$ID\", \"user_unique_id\": \"$ID\"}"`],
      read: [],
      renew: [String.raw`-d "{\"guest_unique_id\": \"${id}\"}"`],
    }[name],
  ];
  return `${name === 'create' ? 'ID=$(uuidgen | tr A-Z a-z)\n' : ''}${lines.join(' \\\n  ')}`;
}

function codeSample(
  name: CallName,
  language: 'fetch' | 'typescript',
  { base, appId }: Gateway,
  guest: ConsoleGuest | null,
): string {
  const typed = (type: string) => (language === 'typescript' ? `: ${type}` : '');
  const id = guest ? `'${guest.id}'` : `'…'`;
  const path = { create: 'guests', read: 'guests/${id}', renew: 'guests/${id}/auth' }[name];
  const quote = name === 'create' ? `'` : '`';
  const body = {
    create: '{ unique_id: id, user_unique_id: id }',
    read: null,
    renew: '{ guest_unique_id: id }',
  }[name];
  const lines = [
    `const id${typed('string')} = ${name === 'create' ? 'crypto.randomUUID()' : id};`,
    ...(name === 'create' ? [] : [`let token${typed('string | null')} = '${guest?.token ?? '…'}';`]),
    '',
    `const response${typed('Response')} = await fetch(${quote}${base}${path}${quote}, {`,
    ...(body ? [`  method: 'POST',`] : []),
    '  headers: {',
    `    appid: '${appId}',`,
    ...(name === 'create' ? [] : ['    Authorization: `Bearer ${token}`,']),
    ...(body ? [`    'Content-Type': 'application/json',`] : []),
    '  },',
    ...(body ? [`  body: JSON.stringify(${body}),`] : []),
    '});',
    ...(name === 'create'
      ? [`const token${typed('string | null')} = response.headers.get('company-token');`]
      : []),
    ...(name === 'renew' ? [`token = response.headers.get('company-token');`] : []),
    `console.log(response.status, await response.json());`,
  ];
  const text = lines.join('\n');
  return name === 'read' ? text.replace('let token', 'const token').replace('string | null', 'string') : text;
}

/** A response of this site's gateway to the first call, recorded. A test compares its form with the real one. */
export const recordedResponse = {
  status: 201,
  ms: 14,
  type: 'application/vnd.api+json; charset=utf-8',
  token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6',
  body: {
    data: {
      type: 'guests',
      id: '0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10',
      attributes: {
        unique_id: '0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10',
        user_unique_id: '0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10',
        email: '',
        name: '',
        username: '',
        status: 'active',
        current_visiting_at: '2026-11-28T06:40:00.000Z',
        current_visiting_ip: '203.0.113.0',
        last_visiting_at: null,
        last_visiting_ip: null,
        registered_at: '2026-11-28T06:40:00.000Z',
      },
      links: { self: '/guests/0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10' },
    },
    links: { self: '/guests/0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10' },
    meta: { token_expires_at: '2026-11-29T06:40:00.000Z' },
  },
};
