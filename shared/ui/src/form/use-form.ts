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
import { NOT_SENT, type ReferralConfirmation } from '@site/contract/forms/form-messages';
import { useBrand, useSiteConfig, useSubmitForm, type SubmitResult } from '@site/kit';
import type { CheckedForm, FieldIssue, FormValues } from './check-form.ts';
import { formDrafts } from './form-drafts.ts';
import { fillInDraft, firstValues, isSame, readValues } from './form-values.ts';

/** Form validation is a third of the page's code and is not needed before the first input. */
const loadChecks = () => import(/* webpackChunkName: "form-checks" */ './form-checks.ts');

const FAILED = { status: 'failed', message: NOT_SENT } as const satisfies SubmitResult;

const never = () => () => undefined;

/**
 * Pending submissions by form, until the visitor sees the result. They outlive the component: a visitor who returns to
 * the page sees the result and cannot submit twice.
 */
const underway = new Map<string, Promise<SubmitResult>>();

/**
 * A form with uncontrolled fields. They keep input from before hydration, through every failure, and (by `formDrafts`)
 * until the tab closes. This hook validates, submits and reports the result.
 */
export function useForm(definition: FormDefinition) {
  const source = definition.name;
  const { name: brand } = useBrand();
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

  /** Continues after the visitor leaves the page. */
  const send = async (filledIn: FormValues): Promise<SubmitResult> => {
    const checked = (await fetchChecks())?.checkFilledIn(definition, filledIn);
    if (!checked) return FAILED;
    if (!checked.ok) return { status: 'rejected', errors: checked.issues };

    setStatus('sending');
    setIssues([]);
    const { email, ...fields } = checked.output;
    const idempotencyKey = formDrafts.idempotencyKey(source, filledIn);
    const result = await submitForm({ source, email: String(email), fields, idempotencyKey }).catch(
      () => FAILED,
    );
    if (result.status === 'accepted') formDrafts.clear(source);
    return result;
  };

  /** Reports the result. If this form is unmounted by then, the next one reports it. */
  const follow = async (sent: Promise<SubmitResult>) => {
    const result = await sent;
    if (!form.current || underway.get(source) !== sent) return;
    underway.delete(source);
    if (result.status === 'failed') return refuse('failed', [{ field: null, message: result.message }]);
    if (result.status === 'rejected') {
      const found = knownFields(result.errors, initial);
      // Without a field of this form the visitor cannot correct anything.
      return refuse(found.some(({ field }) => field !== null) ? 'editing' : 'failed', found);
    }
    setConfirmation(result.confirmation);
    return setStatus('accepted');
  };

  const followUp = useEffectEvent(() => {
    const sent = underway.get(source);
    if (sent) void follow(sent);
  });

  // Before paint. Input from before hydration, and values that the browser restored, are newer than the draft.
  useLayoutEffect(() => {
    if (!form.current) return;
    fillInDraft(form.current, initial, formDrafts.read(source) ?? initial);
    keep(source, initial, readValues(form.current, initial));
    followUp();
  }, [source, initial, restarts]);

  // The pressed button is removed, so move the focus.
  useEffect(() => {
    if (restarts > 0) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [restarts]);

  return {
    status,
    confirmation,
    problems: issues.map(({ field, message }) => ({ field: field && fieldId(source, field), message })),
    attempt,
    restart: () => {
      setStatus('editing');
      setRestarts((count) => count + 1);
    },
    /** For `<form>`. Without JavaScript the browser validates the fields and posts them to the service. */
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
          // Report our own defects, and do not leave the form pending.
          reportError(error);
          return FAILED;
        });
        underway.set(source, sent);
        void follow(sent);
      },
    },
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

/** An unchanged form leaves no entry in the browser's storage. */
function keep(source: string, initial: FormValues, values: FormValues): void {
  formDrafts.keep(source, isSame(values, initial) ? undefined : values);
}

/** A message disappears when its field becomes valid. No message appears while the visitor is typing. */
function stillWrong(shown: FieldIssue[], changed: string, checked: CheckedForm): FieldIssue[] {
  const wrong = !checked.ok && checked.issues.some(({ field }) => field === changed);
  return shown.filter(({ field }) => field !== null && (field !== changed || wrong));
}

/** The service's errors for unknown fields become errors of the whole form. */
function knownFields(errors: FieldIssue[], initial: FormValues): FieldIssue[] {
  return errors.map(({ field, message }) => ({
    field: field !== null && field in initial ? field : null,
    message,
  }));
}
