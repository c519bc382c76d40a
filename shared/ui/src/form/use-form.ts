import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type SubmitEvent,
  type SyntheticEvent,
} from 'react';
import type { FormDefinition } from '@site/contract/forms/form';
import { NOT_SENT } from '@site/contract/not-sent';
import type { ReferralConfirmation } from '@site/contract/referral-thanks';
import { useBrand, useSiteConfig, useSubmitForm, type SubmitResult } from '@site/kit';
import type { CheckedForm, FieldIssue, FormValues } from './check-form.ts';
import { formDrafts } from './form-drafts.ts';
import { fillInDraft, firstValues, isSame, readValues } from './form-values.ts';

/** The rules of forms are a third of the page's code, and nobody needs them before the first field is entered. */
const loadChecks = () => import(/* webpackChunkName: "form-checks" */ './form-checks.ts');

const FAILED = { status: 'failed', message: NOT_SENT } as const satisfies SubmitResult;

const never = () => () => undefined;

/**
 * What is on its way, by form, until a visitor was told how it went. It outlives the form in the page: who leaves the page and
 * comes back is told, and cannot send it again meanwhile.
 */
const underway = new Map<string, Promise<SubmitResult>>();

/**
 * A form whose fields belong to the browser: they keep what was typed before the page was hydrated, through every
 * failure, and (by `formDrafts`) until the tab is closed. This hook checks, sends and says how it went.
 */
export function useForm(definition: FormDefinition) {
  const source = definition.name;
  const { name: brand } = useBrand();
  /** Each field with its first value, in the order of the page. */
  const initial = useMemo(() => firstValues(definition, brand), [definition, brand]);
  const submitForm = useSubmitForm();
  const { forms } = useSiteConfig();
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const form = useRef<HTMLFormElement>(null);
  const checks = useRef<Awaited<ReturnType<typeof loadChecks>>>(null);
  const [confirmation, setConfirmation] = useState<ReferralConfirmation>();
  const [status, setStatus] = useState<'editing' | 'sending' | 'failed' | 'accepted'>(
    underway.has(source) ? 'sending' : 'editing',
  );
  const [issues, setIssues] = useState<FieldIssue[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [restarts, setRestarts] = useState(0);

  const refuse = (next: 'editing' | 'failed', found: FieldIssue[]) => {
    setStatus(next);
    setIssues(found);
    setAttempt((count) => count + 1);
  };

  const fetchChecks = async () => (checks.current ??= await loadChecks().catch(() => null));

  /** Goes on when the visitor has left the page. */
  const send = async (filledIn: FormValues): Promise<SubmitResult> => {
    const checked = (await fetchChecks())?.checkFilledIn(definition, filledIn);
    if (!checked) return FAILED;
    if (!checked.ok) return { status: 'rejected', errors: checked.issues };

    setStatus('sending');
    setIssues([]);
    const { email, ...fields } = checked.output;
    const idempotencyKey = formDrafts.keyOf(source, filledIn);
    const result = await submitForm({ source, email: String(email), fields, idempotencyKey }).catch(
      () => FAILED,
    );
    if (result.status === 'accepted') formDrafts.clear(source);
    return result;
  };

  /** Tells how it went. When this form is gone by then, the next one tells. */
  const follow = async (sent: Promise<SubmitResult>) => {
    const result = await sent;
    if (!form.current || underway.get(source) !== sent) return;
    underway.delete(source);
    if (result.status === 'failed') return refuse('failed', [{ field: null, message: result.message }]);
    if (result.status === 'rejected') {
      const found = knownFields(result.errors, initial);
      // Where none is a field of this form there is nothing that a visitor could correct.
      return refuse(found.some(({ field }) => field !== null) ? 'editing' : 'failed', found);
    }
    setConfirmation(result.confirmation);
    return setStatus('accepted');
  };

  const followUp = useEffectEvent(() => {
    const sent = underway.get(source);
    if (sent) void follow(sent);
  });

  // Before it is painted. What was typed before this code arrived, or what the browser put back, is newer than the draft.
  useLayoutEffect(() => {
    if (!form.current) return;
    fillInDraft(form.current, initial, formDrafts.read(source) ?? initial);
    keep(source, initial, readValues(form.current, initial));
    followUp();
  }, [source, initial, restarts]);

  // The button that asked for another form is gone, and the focus would go with it.
  useEffect(() => {
    if (restarts > 0) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [restarts]);

  return {
    status,
    /** Once it is accepted: how the service has it confirmed, if it said so. */
    confirmation,
    /** The problems for `ErrorSummary`. */
    problems: issues.map(({ field, message }) => ({ field: field && fieldId(source, field), message })),
    attempt,
    /** Opens the form for another one: empty, or with what was typed while the last one was sent. */
    restart: () => {
      setStatus('editing');
      setRestarts((count) => count + 1);
    },
    /** For `<form>`. Without JavaScript the browser checks the fields and posts them to the service by itself. */
    formProps: {
      ref: form,
      method: 'post',
      action: forms.base ? new URL('subscriptions', forms.base).href : undefined,
      noValidate: hydrated,
      onInput: (event: SyntheticEvent<HTMLFormElement>) => {
        const filledIn = readValues(event.currentTarget, initial);
        keep(source, initial, filledIn);
        const changed = (event.target as HTMLInputElement).name;
        if (issues.length > 0 && checks.current)
          setIssues(stillWrong(issues, changed, checks.current.checkFilledIn(definition, filledIn)));
      },
      onFocus: () => void fetchChecks(),
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (underway.has(source)) return;
        const filledIn = readValues(event.currentTarget, initial);
        keep(source, initial, filledIn);
        const sent = send(filledIn).catch((error: unknown) => {
          // A fault of ours is one to report, and must not leave the form waiting.
          reportError(error);
          return FAILED;
        });
        underway.set(source, sent);
        void follow(sent);
      },
    },
    /** For `FormField`. */
    fieldProps: (name: string) => ({
      id: fieldId(source, name),
      name,
      first: initial[name] ?? '',
      error: issues.find(({ field }) => field === name)?.message,
    }),
  };
}

function fieldId(source: string, field: string): string {
  return `${source}-${field}`;
}

/** A form in which nothing was typed leaves nothing behind in the browser. */
function keep(source: string, initial: FormValues, values: FormValues): void {
  formDrafts.keep(source, isSame(values, initial) ? undefined : values);
}

/** A message goes as soon as its field is right; none comes while the visitor is typing. */
function stillWrong(shown: FieldIssue[], changed: string, checked: CheckedForm): FieldIssue[] {
  const wrong = !checked.ok && checked.issues.some(({ field }) => field === changed);
  return shown.filter(({ field }) => field !== null && (field !== changed || wrong));
}

/** What the service says of a field that the form does not have is said of the whole form. */
function knownFields(errors: FieldIssue[], initial: FormValues): FieldIssue[] {
  return errors.map(({ field, message }) => ({
    field: field !== null && field in initial ? field : null,
    message,
  }));
}
