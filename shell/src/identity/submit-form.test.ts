import { BehaviorSubject, VirtualTimeScheduler, of, type Observable } from 'rxjs';
import { parse } from 'valibot';
import { HONEYPOT_FIELD, SubscriptionSchema, formSources, type Subscription } from '@site/contract';
import type { FormSubmission } from '@site/kit';
import type { RootState } from './dependencies.ts';
import { emptyGuest } from './guest.ts';
import type { ApiAnswer, ApiProblem } from './request.ts';
import { createSubmitForm, problemField } from './submit-form.ts';
import { stateWith, testDependencies } from './testing/marbles.ts';

const guestId = '5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11';
const known = (authToken = 'token') =>
  stateWith({
    accessToken: { appId: 'app', authToken },
    guest: { ...emptyGuest, uniqueId: guestId, userUniqueId: guestId },
  });
const referral: FormSubmission = {
  source: 'referral',
  email: 'a@example.com',
  fields: { to_emails: 'b@example.com', message: 'Hello' },
  idempotencyKey: 'key-1',
};

/** A submission by a visitor in this state, with these responses in order. */
function submitting(state: RootState, ...answers: Partial<ApiAnswer>[]) {
  const state$ = new BehaviorSubject(state);
  const scheduler = new VirtualTimeScheduler();
  const subscribe = jest.fn<Observable<ApiAnswer>, [Subscription, string]>(() => {
    const given = answers.shift();
    if (!given) throw new Error('One call more than expected.');
    return of({
      ok: false,
      status: 500,
      statusText: '',
      headers: {} as Headers,
      data: null,
      errors: [],
      ...given,
    });
  });
  const rejectToken = jest.fn();
  const solveCaptcha = jest.fn<Promise<string | null>, []>(() => Promise.resolve('solution'));
  const submitForm = createSubmitForm({
    configured: true,
    state$,
    forms: { ...testDependencies(undefined as never, {}).forms, subscribe },
    solveCaptcha,
    rejectToken,
    scheduler,
  });
  return { state$, scheduler, subscribe, solveCaptcha, rejectToken, submitForm };
}

const accepted = { ok: true, status: 201 };

test.each([
  ['a confirmation email', { confirmation: 'by_mail' }, { confirmation: 'by_mail' }],
  ['a held email', { confirmation: 'held' }, { confirmation: 'held' }],
  ['nothing to confirm', { confirmation: null }, {}],
  ['an unknown confirmation method', { confirmation: 'by_pigeon' }, {}],
  ['no confirmation method, from an older service', {}, {}],
])("returns the service's result: %s", async (_title, attributes, passedOn) => {
  const { submitForm } = submitting(known(), { ...accepted, data: { type: 'subscriptions', attributes } });
  expect(await submitForm(referral)).toStrictEqual({ status: 'accepted', ...passedOn });
});

test.each([null, 'text', {}, { attributes: null }])(
  'accepts a successful response with any contents: %j',
  async (data) => {
    const { submitForm } = submitting(known(), { ...accepted, data });
    expect(await submitForm(referral)).toStrictEqual({ status: 'accepted' });
  },
);

test("a form is sent with the guest's identity, as the contract defines", async () => {
  const { submitForm, subscribe } = submitting(known(), accepted);
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  const [body, key] = subscribe.mock.calls[0] ?? [];
  expect(body).toEqual({
    email: 'a@example.com',
    source_id: formSources.referral,
    form_fields: '{"to_emails":"b@example.com","message":"Hello","captcha":"solution"}',
    visitor_unique_id: guestId,
    visitor_type: 'guest',
  });
  expect(parse(SubscriptionSchema, body)).toEqual(body);
  expect(key).toBe('key-1');
});

test('the newsletter has the email as its fields, and no captcha', async () => {
  const { solveCaptcha, submitForm, subscribe } = submitting(known(), accepted);
  await submitForm({ source: 'newsletter', email: 'a@example.com', fields: {}, idempotencyKey: 'key-1' });
  expect(subscribe.mock.calls[0]?.[0]).toMatchObject({
    source_id: formSources.newsletter,
    form_fields: 'a@example.com',
  });
  expect(solveCaptcha).not.toHaveBeenCalled();
});

test("the newsletter's honeypot is sent if it has a value", async () => {
  const { submitForm, subscribe } = submitting(known(), accepted);
  const fields = { [HONEYPOT_FIELD]: 'spam' };
  await submitForm({ source: 'newsletter', email: 'a@example.com', fields, idempotencyKey: 'key-1' });
  const body = subscribe.mock.calls[0]?.[0];
  expect(body).toMatchObject({ form_fields: 'a@example.com', [HONEYPOT_FIELD]: 'spam' });
  expect(parse(SubscriptionSchema, body)).toEqual(body);
});

test('the newsletter rejects other fields by name instead of losing them', async () => {
  const { submitForm, subscribe } = submitting(known());
  const fields = { topics: ['news'], [HONEYPOT_FIELD]: '' };
  expect(
    await submitForm({ source: 'newsletter', email: 'a@example.com', fields, idempotencyKey: 'key-1' }),
  ).toEqual({
    status: 'rejected',
    errors: [{ field: 'topics', message: 'The newsletter has no field “topics”.' }],
  });
  expect(subscribe).not.toHaveBeenCalled();
});

test('a form declared by a remote is sent with its identifier and a captcha', async () => {
  const { solveCaptcha, submitForm, subscribe } = submitting(known(), accepted);
  await submitForm({ ...referral, source: 'mfe-careers/apply', fields: { phone: '+1 303 555 0100' } });
  expect(subscribe.mock.calls[0]?.[0]).toMatchObject({ source_id: 'mfe-careers/apply' });
  expect(solveCaptcha).toHaveBeenCalledTimes(1);
});

test('each attempt has a new captcha', async () => {
  const { solveCaptcha, submitForm } = submitting(known(), { status: 403 }, accepted);
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(solveCaptcha).toHaveBeenCalledTimes(2);
});

test('without a solved captcha nothing is sent, and the result is "try again"', async () => {
  const { solveCaptcha, submitForm, subscribe } = submitting(known());
  solveCaptcha.mockResolvedValue(null);
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
  expect(subscribe).not.toHaveBeenCalled();
});

test('a form waits for a pending guest', async () => {
  const { state$, submitForm, subscribe } = submitting(stateWith(), accepted);
  const result = submitForm(referral);
  expect(subscribe).not.toHaveBeenCalled();
  state$.next(known());
  expect(await result).toEqual({ status: 'accepted' });
  expect(subscribe.mock.calls[0]?.[0]).toMatchObject({ visitor_unique_id: guestId });
});

test('after a timeout, it is sent without a guest', async () => {
  const { scheduler, submitForm, subscribe } = submitting(stateWith(), accepted);
  const result = submitForm(referral);
  scheduler.flush();
  expect(await result).toEqual({ status: 'accepted' });
  expect(scheduler.now()).toBe(5000);
  const body = subscribe.mock.calls[0]?.[0];
  expect(body).toMatchObject({ visitor_unique_id: '' });
  expect(parse(SubscriptionSchema, body)).toEqual(body);
});

test('waits for the renewal of an expired token', async () => {
  const expired = known();
  const { state$, submitForm, subscribe } = submitting(
    { ...expired, identity: { ...expired.identity, isTokenExpired: true } },
    accepted,
  );
  const result = submitForm(referral);
  await Promise.resolve();
  expect(subscribe).not.toHaveBeenCalled();
  state$.next(known('renewed'));
  expect(await result).toEqual({ status: 'accepted' });
});

test('a rejected token is renewed, and the form is resent with the same key', async () => {
  const { state$, rejectToken, submitForm, subscribe } = submitting(known('old'), { status: 401 }, accepted);
  rejectToken.mockImplementation(() => queueMicrotask(() => state$.next(known('new'))));
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(rejectToken).toHaveBeenCalledWith(known('old').identity);
  expect(subscribe.mock.calls.map(([, key]) => key)).toEqual(['key-1', 'key-1']);
});

test('without another token the form is sent anonymously instead of being lost', async () => {
  const { rejectToken, scheduler, submitForm, subscribe } = submitting(
    known('old'),
    { status: 401 },
    accepted,
  );
  rejectToken.mockImplementation(() => queueMicrotask(() => scheduler.flush()));
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(subscribe.mock.calls.map(([body]) => body.visitor_unique_id)).toEqual([guestId, '']);
});

test('a service that rejects every token gets two attempts', async () => {
  const { state$, rejectToken, submitForm } = submitting(known('old'), { status: 401 }, { status: 401 });
  rejectToken.mockImplementation(() => state$.next(known('new')));
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
});

test('names the fields to correct', async () => {
  const { submitForm } = submitting(known(), {
    status: 422,
    errors: [
      { detail: 'Enter a phone number.', source: { pointer: '/form_fields/phone' } },
      { title: 'Invalid', source: { pointer: '/email' } },
      { source: { pointer: '/form_fields' } },
      { detail: 'No address.', source: { pointer: '/form_fields/to_emails/0' } },
      { detail: 'No address.', source: { pointer: '/form_fields/to_emails/2' } },
    ],
  });
  expect(await submitForm(referral)).toEqual({
    status: 'rejected',
    errors: [
      { field: 'phone', message: 'Enter a phone number.' },
      { field: 'email', message: 'Invalid' },
      { field: null, message: 'Please correct this field.' },
      { field: 'to_emails', message: 'No address.' },
    ],
  });
});

test("a service's text that is not a sentence is not shown", async () => {
  const details = [{ en: 'bad' }, 'x'.repeat(201), 7];
  const errors = details.map((detail, index) => ({ detail, source: { pointer: `/${index}a` } }));
  const { submitForm } = submitting(known(), {
    status: 422,
    errors: errors as unknown as ApiProblem[],
  });
  expect(await submitForm(referral)).toEqual({
    status: 'rejected',
    errors: details.map((_detail, index) => ({
      field: `${index}a`,
      message: 'Please correct this field.',
    })),
  });
});

test.each([0, 403, 409, 429, 500, 503])('status %i results in "try again"', async (status) => {
  const { submitForm } = submitting(known(), { status });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: 'We couldn’t send the form. Please try again in a moment.',
  });
});

test.each([
  'There were too many referrals from this address within a day.',
  'There were too many forms from this address within an hour.',
])("a limit is reported in the service's words: %s", async (detail) => {
  const { submitForm } = submitting(known(), { status: 429, errors: [{ detail }] });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: `${detail} Please send it again later.`,
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['an object', { text: 'Too many.' }],
  ['only spaces', '  '],
  ['several lines', 'Too many.\nCall this number.'],
  ['bidi control characters', 'Too many. \u202egnihton'],
  ['half of a surrogate pair', 'Too many. \ud800'],
  ['more than 200 characters', 'x'.repeat(201)],
])('a limit with %s as its text results in "try again"', async (_what, detail) => {
  const { submitForm } = submitting(known(), { status: 429, errors: [{ detail } as ApiProblem] });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: 'We couldn’t send the form. Please try again in a moment.',
  });
});

test('without a forms service nothing is sent', async () => {
  const { state$, scheduler } = submitting(known());
  const submitForm = createSubmitForm({
    configured: false,
    state$,
    forms: testDependencies(undefined as never, {}).forms,
    solveCaptcha: jest.fn(),
    rejectToken: jest.fn(),
    scheduler,
  });
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
});

test('never rejects, regardless of the fields', async () => {
  const { submitForm } = submitting(known(), accepted);
  const fields: Record<string, unknown> = {};
  fields['self'] = fields;
  expect(await submitForm({ ...referral, fields })).toMatchObject({ status: 'failed' });
});

test.each<[string | undefined, string | null]>([
  ['/form_fields/phone', 'phone'],
  ['/form_fields/to_emails/2', 'to_emails'],
  ['/data/attributes/email', 'email'],
  ['/email', 'email'],
  ['/form_fields/a~1b~0c', 'a/b~c'],
  ['/form_fields', null],
  ['/data', null],
  ['', null],
  [undefined, null],
])('the pointer %p names the field %p', (pointer, field) => {
  const error: ApiProblem = pointer === undefined ? {} : { source: { pointer } };
  expect(problemField(error)).toBe(field);
});
