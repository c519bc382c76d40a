import { filter, firstValueFrom, map, merge, timer, type Observable, type SchedulerLike } from 'rxjs';
import { formSources, HONEYPOT_FIELD, type FormName } from '@site/contract/forms/form-sources';
import {
  NOT_SENT,
  type ReferralConfirmation,
  referralConfirmations,
} from '@site/contract/forms/form-messages';
import type { FormSubmission, SubmitResult } from '@site/kit';
import type { SiteServices } from '@site/kit/host';
import type { SolveCaptcha } from './captcha.ts';
import type { RootState } from './dependencies.ts';
import type { FormsClient } from './forms-client.ts';
import type { IdentityState } from './identity-reducer.ts';
import type { ApiAnswer, ApiProblem } from './request.ts';

export interface SubmitFormDependencies {
  configured: boolean;
  state$: Observable<RootState>;
  forms: FormsClient;
  solveCaptcha: SolveCaptcha;
  /** Reports to the session that a service rejected this identity's token. */
  rejectToken: (visitor: IdentityState) => void;
  scheduler: SchedulerLike;
}

const GUEST_PATIENCE_MS = 5000;

const SENTENCE = /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;
const isSentence = (text: unknown): text is string => typeof text === 'string' && SENTENCE.test(text);

/**
 * The field of a JSON:API source pointer: `phone` in `/form_fields/phone`, `to_emails` in `/form_fields/to_emails/2`.
 */
export function problemField({ source }: ApiProblem): string | null {
  const parts = (source?.pointer ?? '')
    .split('/')
    .filter((part) => !/^(|\d+|data|attributes|form_fields)$/.test(part));
  return parts.at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? null;
}

function readConfirmation(data: unknown): ReferralConfirmation | undefined {
  const given = (data as { attributes?: { confirmation?: unknown } | null } | null)?.attributes?.confirmation;
  return referralConfirmations.find((each) => each === given);
}

/**
 * The exceeded limit in the service's words, because some last a day. The page without JavaScript shows the same text.
 */
function limitMessage([first]: ApiProblem[]): string {
  const detail: unknown = first?.detail;
  return isSentence(detail) ? `${detail} Please send it again later.` : NOT_SENT;
}

function toResult({ ok, status, data, errors }: ApiAnswer): SubmitResult {
  if (ok) {
    const confirmation = readConfirmation(data);
    return { status: 'accepted', ...(confirmation === undefined ? {} : { confirmation }) };
  }
  if (status === 429) return { status: 'failed', message: limitMessage(errors) };
  if ((status !== 400 && status !== 422) || errors.length === 0)
    return { status: 'failed', message: NOT_SENT };
  const problems = errors.map((error) => ({
    field: problemField(error),
    message: [error.detail, error.title].find(isSentence) ?? 'Please correct this field.',
  }));
  // Three invalid addresses in one field are one problem to a visitor.
  const isNew = ({ field, message }: (typeof problems)[number], index: number) =>
    problems.findIndex((other) => other.field === field && other.message === message) === index;
  return { status: 'rejected', errors: problems.filter(isNew) };
}

const sourceId = ({ source }: FormSubmission): string =>
  Object.hasOwn(formSources, source) ? formSources[source as FormName] : source;

export function createSubmitForm({
  configured,
  state$,
  forms,
  solveCaptcha,
  rejectToken,
  scheduler,
}: SubmitFormDependencies): SiteServices['submitForm'] {
  const identity = (refused: string | null): Promise<IdentityState | null> =>
    firstValueFrom(
      merge(
        state$.pipe(
          map((state) => state.identity),
          filter(
            ({ guest, isTokenExpired, accessToken }) =>
              guest.uniqueId !== '' && !isTokenExpired && accessToken.authToken !== refused,
          ),
        ),
        timer(GUEST_PATIENCE_MS, scheduler).pipe(map(() => null)),
      ),
    );

  /** The newsletter has only an email address. Other fields would be lost. */
  const lostFields = ({ source, fields }: FormSubmission): string[] =>
    source === 'newsletter' ? Object.keys(fields).filter((name) => name !== HONEYPOT_FIELD) : [];

  /** The newsletter's payload is the address, so the honeypot is a separate property. */
  const readHoneypot = ({ source, fields }: FormSubmission) => {
    const note = fields[HONEYPOT_FIELD];
    return source === 'newsletter' && typeof note === 'string' && note ? { [HONEYPOT_FIELD]: note } : {};
  };

  const send = (submission: FormSubmission, visitor: IdentityState | null) =>
    firstValueFrom(
      forms.subscribe(
        {
          email: submission.email,
          source_id: sourceId(submission),
          form_fields:
            submission.source === 'newsletter' ? submission.email : JSON.stringify(submission.fields),
          visitor_unique_id: visitor?.guest.uniqueId ?? '',
          visitor_type: 'guest',
          ...readHoneypot(submission),
        },
        submission.idempotencyKey,
      ),
    );

  const withCaptcha = async (submission: FormSubmission): Promise<FormSubmission | null> => {
    if (submission.source === 'newsletter') return submission;
    const captcha = await solveCaptcha();
    return captcha === null ? null : { ...submission, fields: { ...submission.fields, captcha } };
  };

  return async (submission) => {
    if (!configured) return { status: 'failed', message: NOT_SENT };
    const lost = lostFields(submission);
    if (lost.length > 0) {
      return {
        status: 'rejected',
        errors: lost.map((field) => ({ field, message: `The newsletter has no field “${field}”.` })),
      };
    }
    try {
      const [visitor, solved] = await Promise.all([identity(null), withCaptcha(submission)]);
      if (!solved) return { status: 'failed', message: NOT_SENT };
      const answer = await send(solved, visitor);
      if (answer.status !== 401 || !visitor) return toResult(answer);
      rejectToken(visitor);
      // The captcha's solution is still unused, because the service checks the sender first.
      return toResult(await send(solved, await identity(visitor.accessToken.authToken)));
    } catch {
      // Fields that JSON cannot represent. Nothing was sent.
      return { status: 'failed', message: NOT_SENT };
    }
  };
}
