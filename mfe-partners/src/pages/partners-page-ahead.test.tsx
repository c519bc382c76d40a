import { act } from '@testing-library/react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { formSources } from '@site/contract/forms/form-sources';
import { SiteContext } from '@site/kit/host';
import { testConfig } from '@site/testing/render-page';
import { formDrafts } from '@site/ui/form/form-drafts';
import PartnersPage from './partners-page.tsx';

const page = (
  <SiteContext
    value={{
      config: testConfig,
      guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
      submitForm: () => Promise.resolve({ status: 'accepted' }),
    }}
  >
    <MemoryRouter initialEntries={['/partners']}>
      <PartnersPage />
    </MemoryRouter>
  </SiteContext>
);

/** `renderToString` does not wait: load the lazy form's code first. */
beforeAll(async () => {
  const root = createRoot(document.createElement('div'));
  await act(() => Promise.resolve(root.render(page)));
  act(() => root.unmount());
});

/** The prerendered page: the state without JavaScript. */
function renderAhead(): HTMLElement {
  document.body.innerHTML = `<div>${renderToString(page)}</div>`;
  return document.body.firstElementChild as HTMLElement;
}

afterEach(() => {
  formDrafts.clear('referral');
  formDrafts.clear('partner-application');
});

test('posts each form to the forms service with its fixed identifier', () => {
  const forms = [...renderAhead().querySelectorAll('form')];
  expect(
    forms.map((form) => [
      form.getAttribute('method'),
      form.getAttribute('action'),
      form.querySelector<HTMLInputElement>('[name="source_id"]')?.value,
    ]),
  ).toEqual([
    ['post', 'https://forms.test/subscriptions', formSources.referral],
    ['post', 'https://forms.test/subscriptions', formSources['partner-application']],
  ]);
});

test('leaves validation to the browser', () => {
  const ahead = renderAhead();
  expect(ahead.querySelectorAll('form[novalidate]')).toHaveLength(0);
  const required = [...ahead.querySelectorAll<HTMLInputElement>('[required]')].map(({ name }) => name);
  expect([...new Set(required)]).toEqual([
    'email',
    'to_emails',
    'first_name',
    'last_name',
    'phone',
    'business_name',
    'country',
    'how_heard',
  ]);
});

test('lets the browser restore every field on the way back from the response', () => {
  const fields = renderAhead().querySelectorAll('input[autocomplete="off"], textarea[autocomplete="off"]');
  expect([...new Set([...fields].map((field) => field.getAttribute('name')))]).toEqual(['reference_note']);
});

test('keeps input from before hydration, and then validates it', async () => {
  const ahead = renderAhead();
  const email = ahead.querySelector<HTMLInputElement>('#referral-email')!;
  const country = ahead.querySelector<HTMLSelectElement>('[name="country"]')!;
  email.value = 'me@example.com';
  country.value = 'CO';

  const root = await act(() => hydrateRoot(ahead, page));
  expect(ahead.querySelector('#referral-email')).toBe(email);
  expect(email).toHaveValue('me@example.com');
  expect(country).toHaveValue('CO');
  expect(formDrafts.read('referral')).toMatchObject({ email: 'me@example.com' });
  expect(formDrafts.read('partner-application')).toMatchObject({ country: 'CO' });
  expect(ahead.querySelectorAll('form[novalidate]')).toHaveLength(2);
  act(() => root.unmount());
});

test('restores the draft of an earlier document without overwriting newer input', async () => {
  formDrafts.keep('referral', { email: 'old@example.com', to_emails: 'ada@example.com', message: '' });
  formDrafts.keep('partner-application', { country: 'CO', services: ['design'] });
  const ahead = renderAhead();
  const control = (selector: string) => ahead.querySelector<HTMLInputElement>(selector)!;
  control('#referral-email').value = 'new@example.com';

  const root = await act(() => hydrateRoot(ahead, page));
  expect(control('#referral-email')).toHaveValue('new@example.com');
  expect(control('#referral-to_emails')).toHaveValue('ada@example.com');
  expect(control('#referral-message')).toHaveValue('');
  expect(control('[name="country"]')).toHaveValue('CO');
  expect(control('[value="design"]')).toBeChecked();
  expect(formDrafts.read('referral')).toMatchObject({ email: 'new@example.com', message: '' });
  act(() => root.unmount());
});

test('stores nothing in the browser without input', async () => {
  const ahead = renderAhead();
  const root = await act(() => hydrateRoot(ahead, page));
  expect(sessionStorage).toHaveLength(0);
  act(() => root.unmount());
});
