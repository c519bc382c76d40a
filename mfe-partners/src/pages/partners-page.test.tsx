import { act, screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { formDrafts } from '@site/ui/form/form-drafts';
import PartnersPage from './partners-page.tsx';

afterEach(() => {
  formDrafts.clear('referral');
  formDrafts.clear('partner-application');
});

const open = () => act(() => Promise.resolve(renderPage(<PartnersPage />, { path: '/partners' })));

test('contains the referral form, the rewards and the partner application', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Be the brick that joins');
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Refer a team',
    'Earn rewards',
    'Become a partner',
  ]);
  expect(screen.getByRole('form', { name: 'Refer someone' })).toBeVisible();
  expect(screen.getByRole('form', { name: 'Apply as a partner' })).toBeVisible();
});

test('links from the top of the page to each form', async () => {
  const { container } = await open();
  for (const [name, anchor] of [
    ['Refer a team', 'refer'],
    ['Become a partner', 'apply'],
  ] as const) {
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', `/partners#${anchor}`);
    expect(container.querySelector(`#${anchor} form`)).not.toBeNull();
  }
});

test('gives each control a unique ID', async () => {
  const { container } = await open();
  const ids = [...container.querySelectorAll('[id]')].map((element) => element.id);
  expect(ids).toEqual([...new Set(ids)]);
});
