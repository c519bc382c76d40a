import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FormSubmission, SubmitResult } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from '@site/ui/form/form-drafts';
import PartnerApplicationForm from './partner-application-form.tsx';

/** The first import can exceed a test's timeout on a busy machine. */
beforeAll(() => import('@site/ui/form/form-checks'));

afterEach(() => formDrafts.clear('partner-application'));

function open(result: SubmitResult = { status: 'accepted' }) {
  const submitForm = jest.fn<Promise<SubmitResult>, [FormSubmission]>(() => Promise.resolve(result));
  const view = renderPage(<PartnerApplicationForm />, { path: '/partners', submitForm });
  return { submitForm, user: userEvent.setup(), ...view };
}

type User = ReturnType<typeof userEvent.setup>;

/** By label, because a query by role is ten times slower with 250 countries in the page. */
const text = (label: string) =>
  screen.getByLabelText(label, { selector: 'input:not([type="radio"], [type="checkbox"])' });
const country = () => screen.getByLabelText('Country');
const group = (label: string, role: 'group' | 'radiogroup') => screen.getByRole(role, { name: label });
const send = () => screen.getByText('Send application', { selector: 'button > span' });

const filledIn = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Email: 'ada@example.com',
  Phone: '+44 20 7946 0958',
  'Business name': 'Analytical Engines',
  'Website (optional)': 'engines.example.com',
};

async function fillIn(user: User) {
  for (const [label, value] of Object.entries(filledIn)) {
    await user.click(text(label));
    await user.paste(value);
  }
  await user.selectOptions(country(), 'United Kingdom');
  await user.click(screen.getByLabelText('Development'));
  await user.click(screen.getByLabelText('Design'));
  await user.click(screen.getByLabelText('Web research'));
}

test('sends every field of the application, and confirms the delivery', async () => {
  const { submitForm, user } = open();
  await fillIn(user);
  await user.click(send());

  expect(await screen.findByRole('status')).toHaveTextContent('We’ve got your application');
  expect(submitForm).toHaveBeenCalledWith({
    source: 'partner-application',
    email: 'ada@example.com',
    fields: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+44 20 7946 0958',
      country: 'GB',
      business_name: 'Analytical Engines',
      website: 'https://engines.example.com',
      services: ['design', 'development'],
      how_heard: 'web-research',
      captcha: '',
      reference_note: '',
    },
    idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
});

test("offers the specification's services and sources", () => {
  open();
  const labels = (element: HTMLElement, role: 'checkbox' | 'radio') =>
    within(element)
      .getAllByRole(role)
      .map((input) => input.closest('label')!.textContent);
  expect(labels(group('Services you offer', 'group'), 'checkbox')).toEqual([
    'Sells',
    'Design',
    'Development',
    'Consultation',
    'Support',
  ]);
  expect(labels(group('How did you hear about us?', 'radiogroup'), 'radio')).toEqual([
    'Customer',
    'Partner',
    'Website',
    'Web research',
    'Social media',
    'Email',
    'Event',
  ]);
});

test('an empty form has an error for each required field, and none for the website', async () => {
  const { submitForm, user } = open();
  await user.click(send());
  const summary = await screen.findByRole('alert');
  expect(
    within(summary)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    'Enter your first name.',
    'Enter your last name. If you have one name, enter it here too.',
    'Enter an email address.',
    'Enter a phone number.',
    'Enter the name of your business.',
    'Choose a country.',
    'Choose at least one service.',
    'Choose how you heard about us.',
  ]);
  expect(summary).toHaveFocus();
  expect(submitForm).not.toHaveBeenCalled();
});

test.each([
  ['First name', '   ', 'Enter your first name.'],
  ['Last name', '   ', 'Enter your last name. If you have one name, enter it here too.'],
  ['Email', 'ada@example', 'Enter an email address such as name@example.com.'],
  ['Phone', '12345', 'Enter a phone number such as +1 303 555 0100'],
  ['Phone', 'call me', 'Enter a phone number such as +1 303 555 0100'],
  ['Business name', ' ', 'Enter the name of your business.'],
  ['Website (optional)', 'my site', 'Enter a web address such as https://example.com.'],
  ['Website (optional)', 'javascript://example.com', 'Enter a web address such as https://example.com.'],
])('rejects "%s" with "%s"', async (label, value, expected) => {
  const { submitForm, user } = open();
  await fillIn(user);
  await user.clear(text(label));
  await user.click(text(label));
  await user.paste(value);
  await user.click(send());

  expect(text(label)).toBeInvalid();
  expect(text(label)).toHaveAccessibleDescription(expect.stringContaining(expected) as string);
  expect(within(screen.getByRole('alert')).getAllByRole('link')).toHaveLength(1);
  expect(submitForm).not.toHaveBeenCalled();
});

test('rejects a missing country', async () => {
  const { submitForm, user } = open();
  await fillIn(user);
  await user.selectOptions(country(), 'Choose a country');
  await user.click(send());
  expect(country()).toHaveAccessibleDescription('Choose a country.');
  expect(submitForm).not.toHaveBeenCalled();
});

test('rejects an application without a service, with a link to the group', async () => {
  const { submitForm, user } = open();
  await fillIn(user);
  await user.click(screen.getByLabelText('Development'));
  await user.click(screen.getByLabelText('Design'));
  await user.click(send());
  const services = group('Services you offer', 'group');
  expect(services).toHaveAccessibleDescription(
    expect.stringContaining('Choose at least one service.') as string,
  );
  await user.click(screen.getByRole('link', { name: 'Choose at least one service.' }));
  expect(services.contains(document.activeElement)).toBe(true);
  expect(submitForm).not.toHaveBeenCalled();
});

test('keeps every field after a failed submission', async () => {
  const { user } = open({ status: 'failed', message: 'Please try again in a moment.' });
  await fillIn(user);
  await user.click(send());

  expect(await screen.findByRole('alert')).toHaveTextContent('Your application wasn’t sent.');
  for (const [label, value] of Object.entries(filledIn)) expect(text(label)).toHaveValue(value);
  expect(country()).toHaveValue('GB');
  expect(screen.getByLabelText('Development')).toBeChecked();
  expect(screen.getByLabelText('Web research')).toBeChecked();
});

test('keeps every field while the visitor is on another page', async () => {
  const { user, unmount } = open();
  await fillIn(user);
  unmount();
  open();
  for (const [label, value] of Object.entries(filledIn)) expect(text(label)).toHaveValue(value);
  expect(country()).toHaveValue('GB');
  expect(screen.getByLabelText('Design')).toBeChecked();
  expect(screen.getByLabelText('Sells')).not.toBeChecked();
  expect(screen.getByLabelText('Web research')).toBeChecked();
});

test('has an autocomplete value for each field', () => {
  open();
  expect(
    Object.fromEntries(
      Object.keys(filledIn).map((label) => [
        label,
        [text(label).getAttribute('autocomplete'), text(label).getAttribute('inputmode')],
      ]),
    ),
  ).toEqual({
    'First name': ['given-name', null],
    'Last name': ['family-name', null],
    Email: ['email', 'email'],
    Phone: ['tel', 'tel'],
    'Business name': ['organization', null],
    'Website (optional)': ['url', 'url'],
  });
});
