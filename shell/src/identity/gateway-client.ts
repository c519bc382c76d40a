import { defer, from, map, type Observable } from 'rxjs';
import type { Guest, GuestCreation, GuestUpdate } from '@site/contract';
import { emptyGuest, readGuest } from './guest.ts';
import type { ApiAnswer, ApiError, Request } from './request.ts';

/** A guest call's answer: the empty guest when it failed, which is logged, and the status (0: no answer). */
export interface GuestAnswer {
  guest: Guest;
  status: number;
}

/** The answer of the calls that create and authenticate: never an exception. */
export type AuthAnswer =
  | { success: true; headers: Headers; status: number; data: unknown; errors: ApiError[] }
  | { success: false; status: number; statusText: string; errors: ApiError[] };

/** The gateway service, as the specification's section 7 lists its calls. No call throws. */
export interface GatewayClient {
  getGuest(id: string): Observable<GuestAnswer>;
  updateGuest(id: string, guest: GuestUpdate): Observable<GuestAnswer>;
  createAndAuthenticate(guest: GuestCreation): Observable<AuthAnswer>;
  authenticate(id: string): Observable<AuthAnswer>;
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
    return { guest, status: answer.status };
  };

  return {
    getGuest: (id) => call(guestUrl(id)).pipe(map(toGuestAnswer)),
    updateGuest: (id, guest) =>
      call(guestUrl(id), { method: 'PUT', body: guest }).pipe(map(toGuestAnswer)),
    // A guest that does not exist yet has no token: one that is still stored is another guest's, or of no use.
    createAndAuthenticate: (guest) =>
      call(`${base}guests`, { method: 'POST', body: guest, anonymous: true }).pipe(map(toAuthAnswer)),
    authenticate: (id) =>
      call(`${guestUrl(id)}/auth`, { method: 'POST', body: { guest_unique_id: id } }).pipe(
        map(toAuthAnswer),
      ),
  };
}
