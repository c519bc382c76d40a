import { MAX_RETRIES } from '@site/contract/backoff';
import { EMPTY, defer, merge, retry, timer } from 'rxjs';
import type { IdentityEpic } from './dependencies.ts';
import { guestEpic, guestRequestEpic } from './guest.epic.ts';
import { newsletterEpic } from './newsletter.epic.ts';
import { recoveryEpic } from './recovery.epic.ts';
import { registrationEpic, registrationRequestEpic } from './registration.epic.ts';
import { renewalTimerEpic } from './renewal-timer.epic.ts';
import { retryDelay } from './retry-delay.ts';
import { startUpEpic } from './start-up.epic.ts';
import { tokenEpic } from './token.epic.ts';

/**
 * Runs epics side by side. One that throws is a defect: it is logged and started again, at most 10 times, later each
 * time, and the others never notice. (What can be expected to fail is handled inside each epic.)
 */
export function restarting(...epics: IdentityEpic[]): IdentityEpic {
  return (action$, state$, deps) =>
    merge(
      ...epics.map((epic) =>
        defer(() => epic(action$, state$, deps)).pipe(
          retry({
            delay: (error: unknown, count) => {
              deps.log.error(
                `Background effect failed (${count} of at most ${MAX_RETRIES + 1} times)`,
                error,
              );
              // An end without a value ends this epic, and only this one.
              return count > MAX_RETRIES ? EMPTY : timer(retryDelay(count), deps.scheduler);
            },
          }),
        ),
      ),
    );
}

/** What gets and keeps the visitor's session; it calls the gateway. */
export const sessionEpics = [
  startUpEpic,
  tokenEpic,
  renewalTimerEpic,
  guestRequestEpic,
  guestEpic,
  recoveryEpic,
];

/** What calls the forms service. */
export const formsEpics = [registrationRequestEpic, registrationEpic, newsletterEpic];
