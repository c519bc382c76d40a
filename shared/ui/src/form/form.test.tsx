import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FormDefinition } from '@site/contract/forms/form';
import { referralForm } from '@site/contract/forms/referral';
import type { FormSubmission, SubmitResult } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from './form-drafts.ts';
import { Form } from './form.tsx';

/** On a busy machine the first import takes longer than a test waits. */
beforeAll(() => import('./form-checks.ts'));

afterEach(() => formDrafts.clear('referral'));

const definition: FormDefinition = {
  ...referralForm,
  fields: {
    ...referralForm.fields,
    given_name: { kind: 'line', label: 'Given name', missing: 'Enter a name.', half: true },
    nickname: { kind: 'line', label: 'Nickname', optional: true, maxLength: 20, half: true },
    team: { kind: 'line', label: 'Team', optional: true, half: true },
  },
};

function open() {
  const submitForm = jest.fn<Promise<SubmitResult>, [FormSubmission]>(() =>
    Promise.resolve({ status: 'accepted' }),
  );
  renderPage(
    <Form definition={definition} failed="Not sent." again="Once more">
      Why we ask.
    </Form>,
    { path: '/partners', submitForm },
  );
  return { submitForm, user: userEvent.setup() };
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
