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

/** What epics may use of the world: redux-observable's dependencies, so that marble tests give their own. */
export interface Dependencies {
  /** The app id that the gateway is called with, published together with a token. */
  appId: string;
  gateway: GatewayClient;
  forms: FormsClient;
  cookie: TokenCookie;
  /** Held while a token is created or renewed. */
  tokenLock: TabLock;
  outbox: NewsletterOutbox;
  /** Held while kept subscriptions are sent. */
  outboxLock: TabLock;
  /** Sends one kept subscription and takes note of what became of it. */
  sendSubscription: (subscription: KeptSubscription) => Observable<'sent' | 'failed'>;
  uuid: () => string;
  /** The clock: times of day and timers. */
  scheduler: SchedulerLike;
  isOnline: () => boolean;
  /** The network has returned. */
  online$: Observable<unknown>;
  /** The visitor has returned to this tab. */
  resume$: Observable<unknown>;
  log: Pick<Console, 'error' | 'warn' | 'debug'>;
}

export type IdentityEpic = Epic<IdentityAction, IdentityAction, RootState, Dependencies>;
