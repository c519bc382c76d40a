import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { formSources } from '@site/contract/forms/form-sources';
import { renderPage } from '@site/testing/render-page';
import type { SubscribeToNewsletter } from './newsletter-context.ts';
import { NewsletterSection } from './newsletter-section.tsx';

const message = 'You need to provide a valid email to subscribe.';
const field = () => screen.getByLabelText('Email');
const note = () => screen.getByRole('status');
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));

/** @param result the message for the visitor, or null for a failed call. */
function renderNewsletter(result: string | null = 'It is on its way.') {
  const onSubscribe = jest.fn(() => Promise.resolve(result));
  renderPage(<NewsletterSection onSubscribe={onSubscribe} />);
  return onSubscribe;
}

test('initially shows a privacy note', () => {
  renderNewsletter();
  expect(note()).toHaveTextContent('Privacy policy');
  expect(field()).toBeRequired();
});

test.each([[''], ['   '], ['not an address'], ['ada@example'], ['ada@10.0.0.1']])(
  "%j gets the specification's message and is not sent",
  async (text) => {
    const onSubscribe = renderNewsletter();
    if (text) await userEvent.type(field(), text);
    await submit();
    expect(note()).toHaveTextContent(message);
    expect(field()).toHaveAccessibleDescription(message);
    expect(field()).toBeInvalid();
    expect(field()).toHaveFocus();
    expect(onSubscribe).not.toHaveBeenCalled();
  },
);

test('a completed call shows success', async () => {
  const onSubscribe = renderNewsletter('Please confirm it.');
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  expect(onSubscribe).toHaveBeenCalledWith('ada@example.com', '', expect.any(Function));
  expect(note()).toHaveTextContent('Please confirm it.');
});

test('a failed call shows success once a retry completes it', async () => {
  let arrive: (told: string) => void = () => undefined;
  const onSubscribe: SubscribeToNewsletter = (_email, _honeypot, later = arrive) => {
    arrive = later;
    return Promise.resolve(null);
  };
  renderPage(<NewsletterSection onSubscribe={onSubscribe} />);
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  expect(note()).toHaveTextContent('Privacy policy');
  act(() => arrive('Please confirm it.'));
  expect(note()).toHaveTextContent('Please confirm it.');
});

test("the honeypot's value is sent", async () => {
  const onSubscribe = renderNewsletter();
  await userEvent.type(screen.getByLabelText('Leave this empty'), 'spam');
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  expect(onSubscribe).toHaveBeenCalledWith('ada@example.com', 'spam', expect.any(Function));
});

test('a failed call shows nothing: the note and the address stay', async () => {
  renderNewsletter(null);
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  expect(note()).toHaveTextContent('Privacy policy');
  expect(field()).toHaveValue('ada@example.com');
});

test('a second click during the call sends nothing', async () => {
  let finish: (told: string) => void = () => undefined;
  const call = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const onSubscribe = jest.fn(() => call);
  renderPage(<NewsletterSection onSubscribe={onSubscribe} />);
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  await userEvent.type(field(), 'm');
  await submit();
  expect(onSubscribe).toHaveBeenCalledTimes(1);
  await act(async () => {
    finish('It is on its way.');
    await call;
  });
  expect(note()).toHaveTextContent('It is on its way.');
});

test('the second click of a double click after the success keeps the message', async () => {
  const onSubscribe = renderNewsletter('Please confirm it.');
  await userEvent.type(field(), 'ada@example.com');
  await submit();
  // The sender clears the field.
  Object.assign(field(), { value: '' });
  await submit();
  expect(note()).toHaveTextContent('Please confirm it.');
  expect(onSubscribe).toHaveBeenCalledTimes(1);
});

test('a message about an address disappears when it changes', async () => {
  renderNewsletter('It is on its way.');
  await submit();
  expect(note()).toHaveTextContent(message);
  await userEvent.type(field(), 'a');
  expect(note()).toHaveTextContent('Privacy policy');
  expect(field()).not.toHaveAttribute('aria-invalid');
  await userEvent.type(field(), 'da@example.com');
  await submit();
  expect(note()).toHaveTextContent('It is on its way.');
  await userEvent.type(field(), 'b');
  expect(note()).toHaveTextContent('Privacy policy');
});

test('posts to the forms service without JavaScript', () => {
  renderNewsletter();
  const form = field().closest('form')!;
  expect([form.method, form.action]).toEqual(['post', 'https://forms.test/subscriptions']);
  expect([...new FormData(form)]).toEqual([
    ['source_id', formSources.newsletter],
    ['reference_note', ''],
    ['email', ''],
  ]);
});
