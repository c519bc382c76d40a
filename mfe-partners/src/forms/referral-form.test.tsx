import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { referralForm } from '@site/contract/forms/referral';
import type { FormSubmission, SubmitResult } from '@site/kit';
import { renderPage, testBrand } from '@site/testing/render-page';
import { formDrafts } from '@site/ui/form/form-drafts';
import { ReferralForm } from './referral-form.tsx';

const referralMessage = referralForm.fields.message.first.replace('{brand}', testBrand.name);

/** The first import can exceed a test's timeout on a busy machine. */
beforeAll(() => import('@site/ui/form/form-checks'));

afterEach(() => formDrafts.clear('referral'));

/** A form whose submissions return these results in order. The last result repeats. */
function open(...results: (SubmitResult | Promise<SubmitResult>)[]) {
  const endings: (SubmitResult | Promise<SubmitResult>)[] =
    results.length > 0 ? results : [{ status: 'accepted' }];
  const submitForm = jest.fn<Promise<SubmitResult>, [FormSubmission]>(() =>
    Promise.resolve(endings.length > 1 ? endings.shift()! : endings[0]!),
  );
  const view = renderPage(<ReferralForm />, { path: '/partners', submitForm });
  return { submitForm, user: userEvent.setup(), ...view };
}

const from = () => screen.getByRole('textbox', { name: 'From: your email' });
const to = () => screen.getByRole('textbox', { name: 'To: their emails' });
const message = () => screen.getByRole('textbox', { name: /^Message/ });
const send = () => screen.getByRole('button', { name: 'Send referral' });

type User = ReturnType<typeof userEvent.setup>;

async function fillIn(user: User) {
  await user.type(from(), 'me@example.com');
  await user.type(to(), 'ada@example.com, bob@example.com');
}

test('sends the referral with the prefilled message and a key, and confirms the delivery', async () => {
  const { submitForm, user } = open({ status: 'accepted', confirmation: 'by_mail' });
  await fillIn(user);
  await user.click(send());

  const answer = await screen.findByRole('status');
  expect(answer).toHaveTextContent('Check your inbox');
  expect(answer).toHaveFocus();
  expect(submitForm).toHaveBeenCalledTimes(1);
  expect(submitForm).toHaveBeenCalledWith({
    source: 'referral',
    email: 'me@example.com',
    fields: {
      to_emails: ['ada@example.com', 'bob@example.com'],
      message: referralMessage,
      captcha: '',
      reference_note: '',
    },
    idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
});

test.each([
  ['no email can be sent', { status: 'accepted', confirmation: 'held' }, 'We can’t send email right now'],
  ['the service does not report it', { status: 'accepted' }, 'No invitations go out until you confirm'],
] as const)('promises no email if %s', async (_title, result, told) => {
  const { user } = open(result);
  await fillIn(user);
  await user.click(send());
  const answer = await screen.findByRole('status');
  expect(answer).toHaveTextContent(told);
  expect(answer).not.toHaveTextContent(/are sending|please confirm/i);
});

test('offers an empty form for another referral', async () => {
  const { user } = open();
  await fillIn(user);
  await user.click(send());
  await user.click(await screen.findByRole('button', { name: 'Refer someone else' }));
  expect(from()).toHaveValue('');
  expect(message()).toHaveValue(referralMessage);
});

test.each([
  ['a missing sender', 'From: your email', '', 'Enter an email address.'],
  ['an incomplete sender', 'From: your email', 'me@', 'Enter an email address such as name@example.com.'],
  ['missing recipients', 'To: their emails', '', 'Enter at least one email address.'],
  [
    'one incomplete recipient among several',
    'To: their emails',
    'ada@example.com\nbob',
    '“bob”: Enter an email address such as name@example.com.',
  ],
  [
    'more than twenty recipients',
    'To: their emails',
    Array.from({ length: 21 }, (_, index) => `a${index}@example.com`).join(','),
    'Enter at most 20 email addresses.',
  ],
])('rejects %s before sending', async (_case, label, value, expected) => {
  const { submitForm, user } = open();
  await fillIn(user);
  const field = screen.getByRole('textbox', { name: label });
  await user.clear(field);
  if (value) await user.click(field).then(() => user.paste(value));
  await user.click(send());

  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription(expect.stringContaining(expected) as string);
  const summary = screen.getByRole('alert');
  expect(summary).toHaveFocus();
  await user.click(within(summary).getByRole('link', { name: expected }));
  expect(field).toHaveFocus();
  expect(submitForm).not.toHaveBeenCalled();
});

test('removes a message as soon as its field is valid', async () => {
  const { user } = open();
  await user.click(send());
  expect(from()).toBeInvalid();
  await user.type(from(), 'me@example.com');
  expect(from()).toBeValid();
  expect(to()).toBeInvalid();
});

test('keeps every field after a failed submission, and retries with the same key', async () => {
  const { submitForm, user } = open(
    { status: 'failed', message: 'Please try again in a moment.' },
    { status: 'accepted' },
  );
  await fillIn(user);
  await user.clear(message());
  await user.type(message(), 'Look at this');
  await user.click(send());

  const summary = await screen.findByRole('alert');
  expect(summary).toHaveTextContent('Your referral wasn’t sent. Your answers are still here.');
  expect(summary).toHaveTextContent('Please try again in a moment.');
  expect(summary).toHaveFocus();
  expect(from()).toHaveValue('me@example.com');
  expect(to()).toHaveValue('ada@example.com, bob@example.com');
  expect(message()).toHaveValue('Look at this');

  await user.click(send());
  await screen.findByRole('status');
  const keys = submitForm.mock.calls.map(([submission]) => submission.idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});

test('keeps every field if sending throws, as with a failed code load', async () => {
  const { user } = open(Promise.reject(new Error('Loading chunk 7 failed.')));
  await fillIn(user);
  await user.click(send());
  expect(await screen.findByRole('alert')).toHaveTextContent('Your referral wasn’t sent.');
  expect(from()).toHaveValue('me@example.com');
});

test("shows the service's error at its field", async () => {
  const { user } = open({
    status: 'rejected',
    errors: [
      { field: 'email', message: 'This address does not exist.' },
      { field: 'source_id', message: 'There is no form with this id.' },
    ],
  });
  await fillIn(user);
  await user.click(send());

  const summary = await screen.findByRole('alert');
  expect(summary).toHaveFocus();
  expect(within(summary).getByRole('link', { name: 'This address does not exist.' })).toBeVisible();
  expect(summary).toHaveTextContent('There is no form with this id.');
  expect(from()).toHaveAccessibleDescription('This address does not exist.');
});

test('keeps every field if the service rejects an unknown field, and names it', async () => {
  const message = 'The service does not know the field “nickname”, so nothing was stored.';
  const { user } = open({ status: 'rejected', errors: [{ field: 'nickname', message }] });
  await fillIn(user);
  await user.click(send());
  const summary = await screen.findByRole('alert');
  expect(summary).toHaveTextContent(`Your referral wasn’t sent. Your answers are still here.${message}`);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(from()).toHaveValue('me@example.com');
  expect(to()).toHaveValue('ada@example.com, bob@example.com');
  expect(formDrafts.read('referral')).toMatchObject({ email: 'me@example.com' });
});

test('sends once on a double click', async () => {
  let arrive: (result: SubmitResult) => void = () => undefined;
  const { submitForm, user } = open(new Promise<SubmitResult>((resolve) => (arrive = resolve)));
  await fillIn(user);
  await user.dblClick(send());
  expect(screen.getByRole('button', { name: 'Sending …' })).toHaveFocus();
  act(() => arrive({ status: 'accepted' }));
  await screen.findByText('We’ve got your referral');
  expect(submitForm).toHaveBeenCalledTimes(1);
});

test('keeps the input while the visitor is on another page', async () => {
  const { user, unmount } = open();
  await fillIn(user);
  unmount();
  open();
  expect(from()).toHaveValue('me@example.com');
  expect(to()).toHaveValue('ada@example.com, bob@example.com');
});

test('has an invisible honeypot, and sends its value', async () => {
  const { submitForm, user, container } = open();
  const honeypot = container.querySelector<HTMLInputElement>('[name="reference_note"]')!;
  expect(honeypot).toHaveAttribute('autocomplete', 'off');
  expect(honeypot).toHaveAttribute('tabindex', '-1');
  expect(screen.queryByRole('textbox', { name: 'Leave this empty' })).not.toBeInTheDocument();

  await fillIn(user);
  honeypot.value = 'Buy now';
  await user.click(send());
  await screen.findByRole('status');
  expect(submitForm.mock.calls[0]![0].fields).toMatchObject({ reference_note: 'Buy now' });
});
