import { applyMiddleware, legacy_createStore as createStore, type Store } from 'redux';
import { createEpicMiddleware } from 'redux-observable';
import {
  BehaviorSubject,
  Observable,
  asyncScheduler,
  distinctUntilChanged,
  filter,
  from,
  fromEvent,
  map,
  skip,
  type SchedulerLike,
} from 'rxjs';
import { v4 } from 'uuid';
import type { SiteConfig } from '@site/contract';
import type { SubmitResult } from '@site/kit';
import type { GuestView, SiteServices } from '@site/kit/host';
import { sessionRequested, subscriptionAttempted, tokenRejected, type IdentityAction } from './actions.ts';
import type { Dependencies, RootState } from './dependencies.ts';
import { createSolveCaptcha, type CaptchaDependencies } from './captcha.ts';
import { createFormsClient } from './forms-client.ts';
import { createGatewayClient } from './gateway-client.ts';
import { createMemoryStorage, createNewsletterOutbox, type NewsletterOutbox } from './newsletter-outbox.ts';
import { keepNewsletterText } from './newsletter-text.ts';
import { createNewsletter, ownSubscriptions, type Newsletter } from './newsletter.ts';
import { createRequest } from './request.ts';
import { rootReducer } from './root-reducer.ts';
import { formsEpics, restarting, sessionEpics } from './root.epic.ts';
import { solveInWorker } from './solve-in-worker.ts';
import { createStateInspector } from './state-inspector.ts';
import type { SubscribeToNewsletter } from '../newsletter/newsletter-context.ts';
import { storageIfAllowed } from './storage-if-allowed.ts';
import { tellForm, type FormTold } from '../signals/form-told.ts';
import { createSubmitForm } from './submit-form.ts';
import { createTabLock } from './tab-lock.ts';
import { createTokenCookie } from './token-cookie.ts';

export interface IdentityEnvironment {
  document: Document;
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>;
  navigator: { readonly onLine: boolean; readonly locks?: Pick<LockManager, 'request'> };
  storage: Storage | null;
  fetch: typeof fetch;
  solve: CaptchaDependencies['solve'];
  scheduler: SchedulerLike;
  uuid: () => string;
  log: Pick<Console, 'error' | 'warn' | 'debug'>;
}

export interface Identity {
  start(): void;
  guest: SiteServices['guest'];
  /** Waits a few seconds for the guest, then sends without one. */
  submitForm: SiteServices['submitForm'];
  /**
   * Sends, and retries a failure in the background. Resolves to the success message, which is in this chunk to keep it
   * out of the first view, or to null after a failure. Never rejects.
   */
  subscribeToNewsletter: SubscribeToNewsletter;
  store: Store<RootState, IdentityAction>;
}

export interface IdentityOptions {
  config: SiteConfig;
  /** Input from before this code loaded. Default: an outbox in the environment's storage. */
  outbox?: NewsletterOutbox;
  /** Default: the page's own. */
  environment?: IdentityEnvironment;
}

const browser = (): IdentityEnvironment => ({
  document,
  window,
  navigator,
  storage: storageIfAllowed('localStorage'),
  fetch: (...args) => fetch(...args),
  solve: solveInWorker,
  scheduler: asyncScheduler,
  uuid: v4,
  log: console,
});

function createGuestView(state$: Observable<RootState>): SiteServices['guest'] {
  const view$ = new BehaviorSubject<GuestView>({ guestId: null });
  state$
    .pipe(
      map(({ identity }) => identity.guest.uniqueId || null),
      distinctUntilChanged(),
      skip(1),
      map((guestId) => ({ guestId })),
    )
    .subscribe(view$);
  return {
    get: () => view$.value,
    subscribe(listener) {
      const subscription = view$.pipe(skip(1)).subscribe(listener);
      return () => subscription.unsubscribe();
    },
  };
}

const formTold = ({ status }: SubmitResult): FormTold => ({
  kind: 'form',
  sent: status === 'accepted',
  ...(status === 'rejected' ? { refused: true } : {}),
});

export function createIdentity({ config, environment = browser(), ...given }: IdentityOptions): Identity {
  const { document, log, navigator, scheduler, uuid, window } = environment;
  const guestId = () => store.getState().identity.guest.uniqueId || (config.gateway.base === '' ? '' : null);
  const outbox = ownSubscriptions(
    given.outbox ?? createNewsletterOutbox(environment.storage ?? createMemoryStorage(), uuid),
    guestId,
  );

  const request = createRequest({
    services: [config.gateway, config.forms],
    accessToken: () => store.getState().identity.accessToken,
    document,
    fetch: environment.fetch,
  });
  const forms = createFormsClient(config.forms.base, request);

  const middleware = createEpicMiddleware<IdentityAction, IdentityAction, RootState, Dependencies>({
    dependencies: {
      appId: config.gateway.appId,
      gateway: createGatewayClient(config.gateway.base, request, log),
      forms,
      cookie: createTokenCookie(document),
      tokenLock: createTabLock('identity-token', navigator.locks, scheduler),
      outbox,
      outboxLock: createTabLock('newsletter-outbox', navigator.locks, scheduler),
      sendSubscription: (subscription) => from(newsletter.resend(subscription)),
      uuid,
      scheduler,
      isOnline: () => navigator.onLine,
      online$: fromEvent(window, 'online'),
      resume$: fromEvent(document, 'visibilitychange').pipe(
        filter(() => document.visibilityState === 'visible'),
      ),
      log,
    },
  });

  const store: Store<RootState, IdentityAction> = createStore(
    rootReducer,
    config.mode === 'production'
      ? applyMiddleware(middleware)
      : applyMiddleware(middleware, createStateInspector(log)),
  );
  const state$ = new Observable<RootState>((subscriber) => {
    subscriber.next(store.getState());
    return store.subscribe(() => subscriber.next(store.getState()));
  });

  const sendForm = createSubmitForm({
    configured: config.forms.base !== '',
    state$,
    forms,
    solveCaptcha: createSolveCaptcha({ base: config.forms.base, request, solve: environment.solve }),
    rejectToken: ({ guest, accessToken }) =>
      store.dispatch(tokenRejected({ guestId: guest.userUniqueId, authToken: accessToken.authToken })),
    scheduler,
  });
  const submitForm: SiteServices['submitForm'] = async (submission) => {
    const result = await sendForm(submission);
    tellForm(window, formTold(result));
    return result;
  };
  const newsletter: Newsletter = createNewsletter({
    document,
    outbox,
    submitForm,
    now: () => scheduler.now(),
    log,
    guestId,
  });

  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    keepNewsletterText(document);
    for (const name of ['gateway', 'forms'] as const) {
      if (config[name].base === '') log.warn(`Missing API base configuration: ${name}`);
    }
    middleware.run(
      restarting(
        ...(config.gateway.base === '' ? [] : sessionEpics),
        ...(config.forms.base === '' ? [] : formsEpics),
      ),
    );
    store.dispatch(sessionRequested());
  };

  return {
    start,
    guest: createGuestView(state$),
    submitForm,
    async subscribeToNewsletter(...subscription) {
      const message = await newsletter.subscribe(...subscription);
      store.dispatch(subscriptionAttempted());
      return message;
    },
    store,
  };
}
