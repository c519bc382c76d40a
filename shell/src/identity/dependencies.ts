import type { Observable, SchedulerLike } from 'rxjs';
import type { Epic } from 'redux-observable';
import type { IdentityAction } from './actions.ts';
import type { FormsClient } from './forms-client.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { IdentityState } from './identity-reducer.ts';
import type { KeptSubscription, NewsletterOutbox } from './newsletter-outbox.ts';
import type { SearchState } from './search-reducer.ts';
import type { TabLock } from './tab-lock.ts';
import type { TokenCookie } from './token-cookie.ts';

export interface RootState {
  identity: IdentityState;
  search: SearchState;
}

/** The side effects of epics: redux-observable's dependencies, which marble tests replace. */
export interface Dependencies {
  appId: string;
  gateway: GatewayClient;
  forms: FormsClient;
  cookie: TokenCookie;
  tokenLock: TabLock;
  outbox: NewsletterOutbox;
  outboxLock: TabLock;
  /** Sends one kept subscription and records the result; emits once. */
  sendSubscription: (subscription: KeptSubscription) => Observable<unknown>;
  uuid: () => string;
  /** Clock and timers. */
  scheduler: SchedulerLike;
  isOnline: () => boolean;
  online$: Observable<unknown>;
  resume$: Observable<unknown>;
  log: Pick<Console, 'error' | 'warn' | 'debug'>;
}

export type IdentityEpic = Epic<IdentityAction, IdentityAction, RootState, Dependencies>;
