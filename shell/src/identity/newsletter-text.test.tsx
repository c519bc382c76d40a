import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from '@site/ui/form/form-drafts';
import { NewsletterSection } from '../newsletter/newsletter-section.tsx';
import { emptyNewsletterField, forgetNewsletterText, keepNewsletterText } from './newsletter-text.ts';

afterEach(() => formDrafts.clear('newsletter'));

const field = () => screen.getByLabelText('Email');

/** A document with the newsletter and another form with an email field. */
function openDocument() {
  return renderPage(
    <>
      <form aria-label="Other">
        <input type="email" aria-label="Other email" />
      </form>
      <NewsletterSection onSubscribe={() => Promise.resolve(null)} />
    </>,
  );
}

test('the input is restored in the next document, until it is deleted, and in no other field', async () => {
  const first = openDocument();
  keepNewsletterText(document);
  await userEvent.type(screen.getByLabelText('Other email'), 'grace@example.com');
  await userEvent.type(field(), ' ada@exam');
  first.unmount();

  const second = openDocument();
  keepNewsletterText(document);
  expect(field()).toHaveValue('ada@exam');
  expect(screen.getByLabelText('Other email')).toHaveValue('');
  forgetNewsletterText('ada@exam');
  second.unmount();

  openDocument();
  keepNewsletterText(document);
  expect(field()).toHaveValue('');
});

test('input since the submission is neither deleted nor removed from the field', async () => {
  openDocument();
  keepNewsletterText(document);
  await userEvent.type(screen.getByLabelText('Other email'), 'ada@example.com');
  await userEvent.type(field(), 'grace@example.com');
  forgetNewsletterText('ada@example.com');
  expect(emptyNewsletterField(document, 'ada@example.com')).toBe(false);
  expect(field()).toHaveValue('grace@example.com');
  expect(formDrafts.read('newsletter')).toEqual({ email: 'grace@example.com' });

  expect(emptyNewsletterField(document, 'grace@example.com')).toBe(true);
  expect(field()).toHaveValue('');
  expect(screen.getByLabelText('Other email')).toHaveValue('ada@example.com');
});

test('existing input is newer, and kept', async () => {
  formDrafts.keep('newsletter', { email: 'old@example.com' });
  openDocument();
  await userEvent.type(field(), 'new@example.com');
  keepNewsletterText(document);
  expect(field()).toHaveValue('new@example.com');
  expect(formDrafts.read('newsletter')).toEqual({ email: 'new@example.com' });
});

test('pasted invisible characters are removed from the field', async () => {
  openDocument();
  keepNewsletterText(document);
  await userEvent.click(field());
  await userEvent.paste('\u202Dada@exam\u200Bple.com\u202C');
  expect(field()).toHaveValue('ada@example.com');
  expect(field()).toBeValid();
});

test('an emptied field leaves no draft', async () => {
  openDocument();
  keepNewsletterText(document);
  await userEvent.type(field(), 'ada');
  await userEvent.clear(field());
  expect(sessionStorage).toHaveLength(0);
});
