import { defer, from, map, type Observable } from 'rxjs';
import type * as Contract from '@site/contract';
import type { ApiAnswer, Request } from './request.ts';
import type { UserIdentity } from './user-identity.ts';

interface IdentityAnswer {
  userIdentity: UserIdentity | null;
  status: number;
  statusText: string;
}

/** The forms service's calls (section 7 of the specification). No call throws or errors. */
export interface FormsClient {
  registerGuest(id: string): Observable<IdentityAnswer>;
  getIdentity(id: string): Observable<IdentityAnswer>;
  updateIdentity(id: string, user: Contract.IdentityUpdate): Observable<IdentityAnswer>;
  subscribe(subscription: Contract.Subscription, idempotencyKey: string): Observable<ApiAnswer>;
}

/** The type keeps it equal to the contract's value, without loading its schemas in the browser. */
const GUEST_ROLE: typeof Contract.GUEST_ROLE = {
  name: 'guest',
  unique_id: '7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72',
};

function readIdentity(data: unknown): UserIdentity | null {
  if (typeof data !== 'object' || data === null) return null;
  const { id, attributes = {} } = data as { id?: unknown; attributes?: Record<string, unknown> };
  if (typeof id !== 'string' || id === '') return null;
  const text = (name: string) => (typeof attributes[name] === 'string' ? attributes[name] : '');
  return {
    uniqueId: id,
    email: text('email'),
    name: text('name'),
    username: text('username'),
    registeredAt: text('registered_at'),
    roleName: GUEST_ROLE.name,
    roleUniqueId: GUEST_ROLE.unique_id,
  };
}

export function createFormsClient(base: string, request: Request): FormsClient {
  const identity = (id: string) => `${base}identities/${encodeURIComponent(id)}`;
  const call = (...args: Parameters<Request>) => defer(() => from(request(...args)));
  const toIdentityAnswer = ({ ok, data, status, statusText }: ApiAnswer): IdentityAnswer => ({
    userIdentity: ok ? readIdentity(data) : null,
    status,
    statusText,
  });
  return {
    registerGuest: (id) =>
      call(`${identity(id)}/register`, {
        method: 'POST',
        body: { unique_id: id, role_name: GUEST_ROLE.name, role_unique_id: GUEST_ROLE.unique_id },
      }).pipe(map(toIdentityAnswer)),
    getIdentity: (id) => call(identity(id)).pipe(map(toIdentityAnswer)),
    updateIdentity: (id, user) =>
      call(identity(id), { method: 'PUT', body: user }).pipe(map(toIdentityAnswer)),
    subscribe: (subscription, idempotencyKey) =>
      call(`${base}subscriptions`, {
        method: 'POST',
        body: subscription,
        anonymous: subscription.visitor_unique_id === '',
        headers: { 'Idempotency-Key': idempotencyKey },
      }),
  };
}
