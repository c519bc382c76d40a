import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FormDefinition } from '@site/contract/forms/form';
import { referralForm } from '@site/contract/forms/referral';
import type { FormSubmission, SubmitResult } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from './form-drafts.ts';
import { Form } from './form.tsx';

/** On a busy machine the first import takes longer than a test waits. */
beforeAll(() => import('./form-checks.ts'));

afterEach(() => {
  // What was sent, and what was typed since.
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

/** A form on its way whose visitor has left the page. */
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

test('a field that is added to the definition is shown with its limits, checked and sent', async () => {
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

test('two halves that follow each other share a row, and a third has one of its own', () => {
  open();
  const rowOf = (label: string) => screen.getByLabelText(label).parentElement!.parentElement!;
  expect(rowOf('Given name')).toBe(rowOf('Nickname (optional)'));
  expect(rowOf('Given name').children).toHaveLength(2);
  expect(rowOf('Team (optional)')).toBe(screen.getByRole('form'));
});

test('whoever comes back while the form is sent is told so and how it went, and sends nothing twice', async () => {
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

test('whoever comes back after the answer is told once how it went', async () => {
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

test('whoever comes back to a form that failed finds every field, and sends it again under the same key', async () => {
  const left = await leaveWhileSending();
  await left.answer({ status: 'failed', message: 'Please try again.' });
  const { submitForm, user } = open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Not sent.Please try again.');
  expect(from()).toHaveValue('me@example.com');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  await screen.findByRole('status');
  const keyOf = ({ mock }: typeof submitForm) => mock.calls[0]![0].idempotencyKey;
  expect(keyOf(submitForm)).toBe(keyOf(left.submitForm));
});

test('what is typed while the form is sent stays, and is another one', async () => {
  const left = await leaveWhileSending();
  const { submitForm, user } = open();
  await user.clear(from());
  await user.type(from(), 'you@example.com');
  await left.answer({ status: 'accepted' });
  await user.click(screen.getByRole('button', { name: 'Once more' }));
  expect(from()).toHaveValue('you@example.com');
  await user.click(screen.getByRole('button', { name: 'Send referral' }));
  await screen.findByRole('status');
  const keyOf = ({ mock }: typeof submitForm) => mock.calls[0]![0].idempotencyKey;
  expect(submitForm.mock.calls[0]![0].email).toBe('you@example.com');
  // The service would take it for a repetition of the first one.
  expect(keyOf(submitForm)).not.toBe(keyOf(left.submitForm));
});

test('a fault while sending is reported, and the form can be sent again', async () => {
  const reported = jest.fn();
  Object.assign(globalThis, { reportError: reported });
  const fault = new TypeError('crypto.randomUUID is not a function');
  jest.spyOn(formDrafts, 'keyOf').mockImplementationOnce(() => {
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

test('another one begins in its first field, for the button that asked for it is gone', async () => {
  const left = await leaveWhileSending();
  await left.answer({ status: 'accepted' });
  const { user } = open();
  expect(document.body).toHaveFocus();
  await user.click(await screen.findByRole('button', { name: 'Once more' }));
  expect(from()).toHaveFocus();
  expect(from()).toHaveValue('');
});
