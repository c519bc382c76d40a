import { defer, from, map, type Observable } from 'rxjs';
import type { Guest, GuestCreation, GuestUpdate } from '@site/contract';
import { emptyGuest, readGuest } from './guest.ts';
import type { ApiAnswer, ApiProblem, Request } from './request.ts';

/** A guest call's answer: the empty guest when it failed, which is logged, and the status (0: no answer). */
interface GuestAnswer {
  guest: Guest;
  status: number;
  errors: ApiProblem[];
}

/** The answer of the calls that create and authenticate: never an exception. */
export type AuthAnswer =
  | { success: true; headers: Headers; status: number; data: unknown; errors: ApiProblem[] }
  | { success: false; status: number; statusText: string; errors: ApiProblem[] };

/** The gateway service, as the specification's section 7 lists its calls. No call throws. */
export interface GatewayClient {
  getGuest(id: string): Observable<GuestAnswer>;
  updateGuest(id: string, guest: GuestUpdate): Observable<GuestAnswer>;
  /** With the same key, a creation whose answer was lost can be repeated. The key is a secret; the id is none. */
  createAndAuthenticate(guest: GuestCreation, idempotencyKey: string): Observable<AuthAnswer>;
  authenticate(id: string): Observable<AuthAnswer>;
}

/** The gateway's codes that are about the guest or its token, for good. */
const lostCodes = ['guest_not_found', 'guest_not_yours', 'token_invalid', 'token_too_old'];

/**
 * Whether an answer means that the gateway does not know the guest, or will never take its token again: only a fresh
 * guest helps. The gateway says so by name. Whatever else refuses (a proxy's error page, a wrong app id or address) must
 * cost nobody an identity.
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
    // A guest that does not exist yet has no token: one that is still stored is another guest's, or of no use.
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
