import { apiRequest, type CallName, type ConsoleGuest, type Gateway } from './api-calls.ts';

export interface ApiResponse {
  status: number;
  ms: number;
  type: string;
  /** The header `company-token`. */
  token: string | null;
  body: unknown;
}

export interface CallResult {
  call: CallName;
  /** Null without a response. */
  response: ApiResponse | null;
  guest: ConsoleGuest | null;
  retryAfter: number | null;
}

const TIMEOUT_MS = 15_000;
/** Used if a 429 does not say how long to wait. */
const DEFAULT_RETRY_S = 10;

/** Sends a call of the console's guest, which is created first if there is none. Never throws. */
export async function runCall(
  call: CallName,
  gateway: Gateway,
  current: ConsoleGuest | null,
): Promise<CallResult> {
  if (call === 'create') return send(call, gateway, { id: crypto.randomUUID(), token: '' });
  if (current) return send(call, gateway, current);
  const created = await runCall('create', gateway, null);
  return created.guest ? runCall(call, gateway, created.guest) : created;
}

async function send(call: CallName, gateway: Gateway, guest: ConsoleGuest): Promise<CallResult> {
  const known = call === 'create' ? null : guest;
  const { url, method, headers, body } = apiRequest(call, gateway, guest);
  const started = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      headers,
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const ms = Math.round(performance.now() - started);
    const token = answer.headers.get('company-token');
    const type = answer.headers.get('content-type') ?? '';
    const response = { status: answer.status, ms, type, token, body: parse(text) };
    const isLost = [401, 403, 404].includes(answer.status);
    const retryAfter =
      answer.status === 429 ? Number(answer.headers.get('retry-after')) || DEFAULT_RETRY_S : null;
    if (token) return { call, response, guest: { id: guest.id, token }, retryAfter };
    return { call, response, guest: isLost ? null : known, retryAfter };
  } catch {
    return { call, response: null, guest: known, retryAfter: null };
  }
}

/** Proxies respond with pages instead of JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
