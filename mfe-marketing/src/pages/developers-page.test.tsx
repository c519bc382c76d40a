import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { GUEST_ROLE } from '@site/contract';
import { renderPage, type RenderPageOptions } from '@site/testing/render-page';
import { guestRole } from '../developers/samples.ts';
import DevelopersPage from './developers-page.tsx';

const steps = () => within(screen.getByRole('region', { name: 'Integrate in four steps' }));

async function open(options?: RenderPageOptions) {
  await act(() => Promise.resolve(renderPage(<DevelopersPage />, options)));
}

test('shows four steps, each with a sample in three languages', async () => {
  await open();
  expect(steps().getAllByRole('heading', { level: 3 })).toHaveLength(4);
  for (const language of ['curl', 'JavaScript', 'TypeScript']) {
    expect(steps().getAllByRole('radio', { name: language })).toHaveLength(4);
    expect(steps().getByRole('region', { name: `Create and read a guest, ${language}` })).toBeInTheDocument();
  }
});

test('a language selected with the keyboard applies to every step', async () => {
  await open();
  const user = userEvent.setup();
  const [first] = steps().getAllByRole('radio', { name: 'curl' });
  first?.focus();
  await user.keyboard('{ArrowRight}');
  for (const radio of steps().getAllByRole('radio', { name: 'JavaScript' })) expect(radio).toBeChecked();
});

test("the samples call this site's services with their app IDs", async () => {
  await open();
  const setup = steps().getByRole('region', { name: 'Addresses and app ids, curl' });
  expect(setup).toHaveTextContent("GATEWAY='https://gateway.test/'");
  expect(setup).toHaveTextContent("FORMS_APP='forms-app'");
});

test('uses example URLs if the site has no services', async () => {
  await open({ config: { gateway: { base: '', appId: '' } } });
  expect(steps().getByRole('region', { name: 'Addresses and app ids, curl' })).toHaveTextContent(
    "GATEWAY='https://gateway.example.com/'",
  );
});

test('links to the API reference of each service', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Gateway API' })).toHaveAttribute(
    'href',
    'https://gateway.test/docs',
  );
  expect(screen.getByRole('link', { name: 'Forms API' })).toHaveAttribute('href', 'https://forms.test/docs');
});

test('explains the headers of a request, the members of a response and the errors', async () => {
  await open();
  const headers = within(screen.getByRole('table', { name: 'Request headers' }));
  expect(headers.getByRole('rowheader', { name: 'appid' })).toBeVisible();
  expect(headers.getByRole('rowheader', { name: 'Authorization' })).toBeVisible();
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual([
    'data',
    'relationships',
    'included',
    'links',
    'meta',
  ]);
  expect(screen.getByRole('region', { name: 'An invalid email address' })).toHaveTextContent(
    '"pointer": "/email"',
  );
});

test("the role in the samples is the contract's fixed role", () => {
  expect(guestRole).toEqual(GUEST_ROLE);
});
