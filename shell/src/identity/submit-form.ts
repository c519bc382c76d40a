import { filter, firstValueFrom, map, merge, take, timer, type Observable, type SchedulerLike } from 'rxjs';
import { formSources } from '@site/contract/form-sources';
import type { FormSubmission, SubmitResult } from '@site/kit';
import type { SiteServices } from '@site/kit/host';
import type { RootState } from './dependencies.ts';
import type { FormsClient } from './forms-client.ts';
import type { ApiAnswer, ApiError } from './request.ts';

export interface SubmitFormDependencies {
  /** Whether there is a forms service to send to. */
  configured: boolean;
  state$: Observable<RootState>;
  forms: FormsClient;
  /** Tells the session that a service did not take the token. */
  rejectToken: (guestId: string) => void;
  scheduler: SchedulerLike;
}

/** A visitor waits this long at most for an identity that is still on its way. */
const GUEST_PATIENCE = 5000;

const TRY_AGAIN = 'The form could not be sent. Please try again in a moment.';

/** The field that a JSON:API source pointer names: its last part, such as `phone` in `/form_fields/phone`. */
export function fieldOf({ source }: ApiError): string | null {
  const last = source?.pointer?.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~');
  return !last || last === 'form_fields' || last === 'data' ? null : last;
}

function toResult({ ok, status, errors }: ApiAnswer): SubmitResult {
  if (ok) return { status: 'accepted' };
  if ((status === 400 || status === 422) && errors.length > 0) {
    return {
      status: 'rejected',
      errors: errors.map((error) => ({
        field: fieldOf(error),
        message: error.detail ?? error.title ?? 'Please correct this field.',
      })),
    };
  }
  return { status: 'failed', message: TRY_AGAIN };
}

/** Sends forms with the visitor's guest identity; without one when there is none in time. */
export function createSubmitForm({
  configured,
  state$,
  forms,
  rejectToken,
  scheduler,
}: SubmitFormDependencies): SiteServices['submitForm'] {
  /** The identity once its token is another than `refused`, or as it stands when the wait is over. */
  const identity = (refused: string | null) => {
    const ready$ = state$.pipe(
      map((state) => state.identity),
      filter(
        ({ guest, isTokenExpired, accessToken }) =>
          guest.uniqueId !== '' && !isTokenExpired && accessToken.authToken !== refused,
      ),
    );
    return firstValueFrom(merge(ready$, timer(GUEST_PATIENCE, scheduler)).pipe(take(1))).then(() =>
      firstValueFrom(state$.pipe(map((state) => state.identity))),
    );
  };

  const send = (submission: FormSubmission, visitorId: string) =>
    firstValueFrom(
      forms.subscribe(
        {
          email: submission.email,
          source_id: formSources[submission.source],
          form_fields:
            submission.source === 'newsletter' ? submission.email : JSON.stringify(submission.fields),
          visitor_unique_id: visitorId,
          visitor_type: 'guest',
        },
        submission.idempotencyKey,
      ),
    );

  return async (submission) => {
    if (!configured) return { status: 'failed', message: TRY_AGAIN };
    const { guest, accessToken } = await identity(null);
    const answer = await send(submission, guest.uniqueId);
    if (answer.status !== 401 || accessToken.authToken === '') return toResult(answer);
    rejectToken(guest.uniqueId);
    const renewed = await identity(accessToken.authToken);
    return toResult(await send(submission, renewed.guest.uniqueId));
  };
}
