import { defer, from, map, type Observable } from 'rxjs';
import type { Guest, GuestCreation, GuestUpdate } from '@site/contract';
import { emptyGuest, readGuest } from './guest.ts';
import type { ApiAnswer, ApiProblem, Request } from './request.ts';

/** The response of a guest call: the empty guest on failure, which is logged, and the status (0: no response). */
interface GuestAnswer {
  guest: Guest;
  status: number;
  errors: ApiProblem[];
}

export type AuthAnswer =
  | { success: true; headers: Headers; status: number; data: unknown; errors: ApiProblem[] }
  | { success: false; status: number; statusText: string; errors: ApiProblem[] };

export interface GatewayClient {
  getGuest(id: string): Observable<GuestAnswer>;
  updateGuest(id: string, guest: GuestUpdate): Observable<GuestAnswer>;
  /** With the same key, a creation with a lost response can be retried. The key is a secret, the ID is not. */
  createAndAuthenticate(guest: GuestCreation, idempotencyKey: string): Observable<AuthAnswer>;
  authenticate(id: string): Observable<AuthAnswer>;
}

/** The gateway's permanent error codes about the guest or its token. */
const lostCodes = ['guest_not_found', 'guest_not_yours', 'token_invalid', 'token_too_old'];

/**
 * Whether the gateway does not know the guest, or permanently rejects its token, so that only a new guest helps. The
 * gateway reports this by code. Other failures (a proxy's error page, a wrong app ID or URL) must not discard an
 * identity.
 */
export function isGuestLost({ errors }: { errors: readonly ApiProblem[] }): boolean {
  return errors.some(({ code = '' }) => lostCodes.includes(code));
}

function toAuthAnswer({ ok, headers, status, statusText, data, errors }: ApiAnswer): AuthAnswer {
  return ok
    ? { success: true, headers, status, data, errors }
    : { success: false, status, statusText, errors };
}

export function createGatewayClient(
  base: string,
  request: Request,
  log: Pick<Console, 'error'>,
): GatewayClient {
  const guestUrl = (id: string) => `${base}guests/${encodeURIComponent(id)}`;
  const call = (...args: Parameters<Request>) => defer(() => from(request(...args)));

  const toGuestAnswer = (answer: ApiAnswer): GuestAnswer => {
    const guest = answer.ok ? readGuest(answer.data) : emptyGuest;
    if (guest === emptyGuest) log.error('Error loading guest', answer.status, answer.statusText);
    return { guest, status: answer.status, errors: answer.errors };
  };

  return {
    getGuest: (id) => call(guestUrl(id)).pipe(map(toGuestAnswer)),
    updateGuest: (id, guest) => call(guestUrl(id), { method: 'PUT', body: guest }).pipe(map(toGuestAnswer)),
    // A new guest has no token yet. A stored token belongs to another guest or is invalid.
    createAndAuthenticate: (guest, idempotencyKey) =>
      call(`${base}guests`, {
        method: 'POST',
        body: guest,
        anonymous: true,
        headers: { 'Idempotency-Key': idempotencyKey },
      }).pipe(map(toAuthAnswer)),
    authenticate: (id) =>
      call(`${guestUrl(id)}/auth`, { method: 'POST', body: { guest_unique_id: id } }).pipe(map(toAuthAnswer)),
  };
}
