import { BehaviorSubject, VirtualTimeScheduler, of, type Observable } from 'rxjs';
import { parse } from 'valibot';
import { HONEYPOT_FIELD, SubscriptionSchema, formSources, type Subscription } from '@site/contract';
import type { FormSubmission } from '@site/kit';
import type { RootState } from './dependencies.ts';
import { emptyGuest } from './guest.ts';
import type { ApiAnswer, ApiProblem } from './request.ts';
import { createSubmitForm, fieldOf } from './submit-form.ts';
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

/** A form on its way, with a visitor in this state and a service that gives these answers, one after the other. */
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
  ['a mail that asks to confirm', { confirmation: 'by_mail' }, { confirmation: 'by_mail' }],
  ['no mail', { confirmation: 'held' }, { confirmation: 'held' }],
  ['nothing to confirm', { confirmation: null }, {}],
  ['a way that is not known here', { confirmation: 'by_pigeon' }, {}],
  ['nothing of it, being older', {}, {}],
])('passes on what the service did: %s', async (_title, attributes, passedOn) => {
  const { submitForm } = submitting(known(), { ...accepted, data: { type: 'subscriptions', attributes } });
  expect(await submitForm(referral)).toStrictEqual({ status: 'accepted', ...passedOn });
});

test.each([null, 'text', {}, { attributes: null }])(
  'takes a form as sent whatever the answer holds: %j',
  async (data) => {
    const { submitForm } = submitting(known(), { ...accepted, data });
    expect(await submitForm(referral)).toStrictEqual({ status: 'accepted' });
  },
);

test('a form is sent in the name of the guest, as the contract has it', async () => {
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

test("the newsletter's hidden field goes along when something is in it", async () => {
  const { submitForm, subscribe } = submitting(known(), accepted);
  const fields = { [HONEYPOT_FIELD]: 'spam' };
  await submitForm({ source: 'newsletter', email: 'a@example.com', fields, idempotencyKey: 'key-1' });
  const body = subscribe.mock.calls[0]?.[0];
  expect(body).toMatchObject({ form_fields: 'a@example.com', [HONEYPOT_FIELD]: 'spam' });
  expect(parse(SubscriptionSchema, body)).toEqual(body);
});

test('the newsletter has no place for other fields: they are refused by name, not lost on the way', async () => {
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

test('a form that a remote declares is sent under its identifier, with a captcha', async () => {
  const { solveCaptcha, submitForm, subscribe } = submitting(known(), accepted);
  await submitForm({ ...referral, source: 'mfe-careers/apply', fields: { phone: '+1 303 555 0100' } });
  expect(subscribe.mock.calls[0]?.[0]).toMatchObject({ source_id: 'mfe-careers/apply' });
  expect(solveCaptcha).toHaveBeenCalledTimes(1);
});

test('each try has a captcha of its own', async () => {
  const { solveCaptcha, submitForm } = submitting(known(), { status: 403 }, accepted);
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(solveCaptcha).toHaveBeenCalledTimes(2);
});

test('nothing is sent while the captcha cannot be solved, which means: try again', async () => {
  const { solveCaptcha, submitForm, subscribe } = submitting(known());
  solveCaptcha.mockResolvedValue(null);
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
  expect(subscribe).not.toHaveBeenCalled();
});

test('a form waits for the guest that is on its way', async () => {
  const { state$, submitForm, subscribe } = submitting(stateWith(), accepted);
  const result = submitForm(referral);
  expect(subscribe).not.toHaveBeenCalled();
  state$.next(known());
  expect(await result).toEqual({ status: 'accepted' });
  expect(subscribe.mock.calls[0]?.[0]).toMatchObject({ visitor_unique_id: guestId });
});

test('when none comes, it is sent without one', async () => {
  const { scheduler, submitForm, subscribe } = submitting(stateWith(), accepted);
  const result = submitForm(referral);
  scheduler.flush();
  expect(await result).toEqual({ status: 'accepted' });
  expect(scheduler.now()).toBe(5000);
  const body = subscribe.mock.calls[0]?.[0];
  expect(body).toMatchObject({ visitor_unique_id: '' });
  expect(parse(SubscriptionSchema, body)).toEqual(body);
});

test('an expired token is waited for, too', async () => {
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

test('a token that the service does not take is renewed, and the form sent once more with the same key', async () => {
  const { state$, rejectToken, submitForm, subscribe } = submitting(known('old'), { status: 401 }, accepted);
  rejectToken.mockImplementation(() => queueMicrotask(() => state$.next(known('new'))));
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(rejectToken).toHaveBeenCalledWith(known('old').identity);
  expect(subscribe.mock.calls.map(([, key]) => key)).toEqual(['key-1', 'key-1']);
});

test('when no other token comes, the form is sent without one: it must not be lost for its attribution', async () => {
  const { rejectToken, scheduler, submitForm, subscribe } = submitting(
    known('old'),
    { status: 401 },
    accepted,
  );
  rejectToken.mockImplementation(() => queueMicrotask(() => scheduler.flush()));
  expect(await submitForm(referral)).toEqual({ status: 'accepted' });
  expect(subscribe.mock.calls.map(([body]) => body.visitor_unique_id)).toEqual([guestId, '']);
});

test('a service that takes no token at all ends the matter after the second try', async () => {
  const { state$, rejectToken, submitForm } = submitting(known('old'), { status: 401 }, { status: 401 });
  rejectToken.mockImplementation(() => state$.next(known('new')));
  expect(await submitForm(referral)).toMatchObject({ status: 'failed' });
});

test('the fields to correct are named', async () => {
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

test('what a service says that is no sentence is not shown', async () => {
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

test.each([0, 403, 409, 429, 500, 503])('status %i means: try again', async (status) => {
  const { submitForm } = submitting(known(), { status });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: 'The form could not be sent. Please try again in a moment.',
  });
});

test.each([
  'There were too many referrals from this address within a day.',
  'There were too many forms from this address within an hour.',
])('a limit is told in the words of the service: some last a day. %s', async (detail) => {
  const { submitForm } = submitting(known(), { status: 429, errors: [{ detail }] });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: `${detail} Please send it again later.`,
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no text', { text: 'Too many.' }],
  ['only spaces', '  '],
  ['several lines', 'Too many.\nCall this number.'],
  ['a turned direction', 'Too many. \u202egnihton'],
  ['half of a surrogate pair', 'Too many. \ud800'],
  ['a whole page', 'x'.repeat(201)],
])('a limit of which the service says %s means: try again', async (_what, detail) => {
  const { submitForm } = submitting(known(), { status: 429, errors: [{ detail } as ApiProblem] });
  expect(await submitForm(referral)).toEqual({
    status: 'failed',
    message: 'The form could not be sent. Please try again in a moment.',
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

test('never rejects, whatever is in the fields', async () => {
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
  expect(fieldOf(error)).toBe(field);
});
