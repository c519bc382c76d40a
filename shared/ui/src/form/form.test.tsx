import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FormDefinition } from '@site/contract/forms/form';
import { referralForm } from '@site/contract/forms/referral';
import type { FormSubmission, SubmitResult } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from './form-drafts.ts';
import { Form } from './form.tsx';

/** The first import can exceed a test's timeout on a busy machine. */
beforeAll(() => import('./form-checks.ts'));

afterEach(() => {
  // The submitted values, and the input since.
  formDrafts.clear('referral');
  formDrafts.clear('referral');
});

const definition: FormDefinition = {
  ...referralForm,
  fields: {
    ...referralForm.fields,
    given_name: { kind: 'line', label: 'Given name', missing: 'Enter a name.', half: true },
    nickname: { kind: 'line', label: 'Nickname', optional: true, maxLength: 20, half: true },
    team: { kind: 'line', label: 'Team', optional: true, half: true },
  },
};

function open(result: Promise<SubmitResult> = Promise.resolve({ status: 'accepted' })) {
  const submitForm = jest.fn<Promise<SubmitResult>, [FormSubmission]>(() => result);
  const { unmount } = renderPage(
    <Form definition={definition} failed="Not sent." again="Once more">
      Why we ask.
    </Form>,
    { path: '/partners', submitForm },
  );
  return { submitForm, user: userEvent.setup(), unmount };
}

const from = () => screen.getByLabelText('From: your email');

/** A submission in progress whose visitor has left the page. */
async function leaveWhileSending() {
  let arrive: (result: SubmitResult) => void = () => undefined;
  const { submitForm, user, unmount } = open(new Promise((resolve) => (arrive = resolve)));
  await user.type(from(), 'me@example.com');
  await user.type(screen.getByLabelText('To: their emails'), 'ada@example.com');
  await user.type(screen.getByLabelText('Given name'), 'Ada');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  unmount();
  return { submitForm, answer: (result: SubmitResult) => act(() => Promise.resolve(arrive(result))) };
}

test('a field added to the definition is rendered with its limits, validated and sent', async () => {
  const { submitForm, user } = open();
  await user.type(screen.getByLabelText('From: your email'), 'me@example.com');
  await user.type(screen.getByLabelText('To: their emails'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  expect(screen.getByLabelText('Given name')).toHaveAccessibleDescription('Enter a name.');
  expect(submitForm).not.toHaveBeenCalled();

  const nickname = screen.getByLabelText('Nickname (optional)');
  expect(nickname).toHaveAttribute('maxlength', '20');
  expect(nickname).not.toBeRequired();
  await user.type(nickname, 'Countess');
  await user.type(screen.getByLabelText('Given name'), 'Ada');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  await screen.findByRole('status');
  expect(submitForm.mock.calls[0]![0].fields).toMatchObject({
    given_name: 'Ada',
    nickname: 'Countess',
    team: '',
  });
});

test('two consecutive halves share a row, and a third one has its own', () => {
  open();
  const findRow = (label: string) => screen.getByLabelText(label).parentElement!.parentElement!;
  expect(findRow('Given name')).toBe(findRow('Nickname (optional)'));
  expect(findRow('Given name').children).toHaveLength(2);
  expect(findRow('Team (optional)')).toBe(screen.getByRole('form'));
});

test('a visitor who returns during the submission sees its progress and its result, and cannot submit twice', async () => {
  const left = await leaveWhileSending();
  const { submitForm, user } = open();
  expect(from()).toHaveValue('me@example.com');
  await user.click(screen.getByRole('button', { name: 'Sending …' }));
  await left.answer({ status: 'accepted' });
  expect(screen.getByRole('status')).toHaveFocus();
  expect(left.submitForm).toHaveBeenCalledTimes(1);
  expect(submitForm).not.toHaveBeenCalled();
  expect(formDrafts.read('referral')).toBeUndefined();
});

test('a visitor who returns after the response sees the result once', async () => {
  const left = await leaveWhileSending();
  await left.answer({ status: 'accepted' });
  expect(formDrafts.read('referral')).toBeUndefined();
  const { unmount } = open();
  expect(await screen.findByRole('status')).toHaveFocus();
  unmount();
  open();
  expect(from()).toHaveValue('');
  expect(screen.getByRole('button', { name: 'Send referral' })).toBeVisible();
});

test('a visitor who returns to a failed form finds every field, and retries with the same key', async () => {
  const left = await leaveWhileSending();
  await left.answer({ status: 'failed', message: 'Please try again.' });
  const { submitForm, user } = open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Not sent.Please try again.');
  expect(from()).toHaveValue('me@example.com');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  await screen.findByRole('status');
  const sentKey = ({ mock }: typeof submitForm) => mock.calls[0]![0].idempotencyKey;
  expect(sentKey(submitForm)).toBe(sentKey(left.submitForm));
});

test('input during the submission stays, as a new draft', async () => {
  const left = await leaveWhileSending();
  const { submitForm, user } = open();
  await user.clear(from());
  await user.type(from(), 'you@example.com');
  await left.answer({ status: 'accepted' });
  await user.click(screen.getByRole('button', { name: 'Once more' }));
  expect(from()).toHaveValue('you@example.com');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  await screen.findByRole('status');
  const sentKey = ({ mock }: typeof submitForm) => mock.calls[0]![0].idempotencyKey;
  expect(submitForm.mock.calls[0]![0].email).toBe('you@example.com');
  // The same key would make the service drop it as a duplicate.
  expect(sentKey(submitForm)).not.toBe(sentKey(left.submitForm));
});

test('a defect during the submission is reported, and the form can be sent again', async () => {
  const reported = jest.fn();
  Object.assign(globalThis, { reportError: reported });
  const fault = new TypeError('crypto.randomUUID is not a function');
  jest.spyOn(formDrafts, 'idempotencyKey').mockImplementationOnce(() => {
    throw fault;
  });
  const { user } = open();
  await user.type(from(), 'me@example.com');
  await user.type(screen.getByLabelText('To: their emails'), 'ada@example.com');
  await user.type(screen.getByLabelText('Given name'), 'Ada');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Not sent.');
  expect(reported).toHaveBeenCalledWith(fault);
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  expect(await screen.findByRole('status')).toBeVisible();
});

test('another form moves the focus to its first field, because the pressed button is removed', async () => {
  const left = await leaveWhileSending();
  await left.answer({ status: 'accepted' });
  const { user } = open();
  expect(document.body).toHaveFocus();
  await user.click(await screen.findByRole('button', { name: 'Once more' }));
  expect(from()).toHaveFocus();
  expect(from()).toHaveValue('');
});
