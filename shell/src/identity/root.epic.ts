import { MAX_RETRIES } from '@site/contract/http';
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
 * Runs epics in parallel. An epic that throws is a defect: it is logged and restarted up to 10 times with increasing
 * delays. The others continue. Each epic handles its expected failures.
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
              // EMPTY ends this epic only.
              return count > MAX_RETRIES ? EMPTY : timer(retryDelay(count), deps.scheduler);
            },
          }),
        ),
      ),
    );
}

export const sessionEpics = [
  startUpEpic,
  tokenEpic,
  renewalTimerEpic,
  guestRequestEpic,
  guestEpic,
  recoveryEpic,
];

export const formsEpics = [registrationRequestEpic, registrationEpic, newsletterEpic];
