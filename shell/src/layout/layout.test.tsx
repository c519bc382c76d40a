import { act } from 'react';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { SiteContext, type SiteServices } from '@site/kit/host';
import { renderPage, testConfig } from '@site/testing/render-page';
import { Layout } from './layout.tsx';

test('puts header, content, newsletter and footer into landmarks, in this order', () => {
  renderPage(
    <Layout>
      <h1>Page</h1>
    </Layout>,
  );
  const landmarks = ['banner', 'main', 'region', 'contentinfo'].map((role) => screen.getByRole(role));
  const inOrder = landmarks.toSorted((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  expect(landmarks).toEqual(inOrder);
  expect(screen.getByRole('main')).toContainElement(screen.getByRole('heading', { name: 'Page' }));
});

test('the first stop of the keyboard skips to the content', async () => {
  renderPage(<Layout>{null}</Layout>);
  await userEvent.tab();
  expect(document.activeElement).toHaveTextContent('Skip to content');
  expect(document.activeElement).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
});

test('hydrates what was rendered ahead of time without a difference, also with a remembered theme', () => {
  localStorage.setItem('theme', 'dark');
  const services: SiteServices = {
    config: testConfig,
    guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
    submitForm: () => Promise.resolve({ status: 'accepted' }),
  };
  const site = (
    <SiteContext value={services}>
      <MemoryRouter initialEntries={['/home']}>
        <Layout>page</Layout>
      </MemoryRouter>
    </SiteContext>
  );
  const root = document.createElement('div');
  document.body.append(root);
  root.innerHTML = renderToString(site);
  const onRecoverableError = jest.fn();
  act(() => {
    hydrateRoot(root, site, { onRecoverableError });
  });
  expect(onRecoverableError).not.toHaveBeenCalled();
  root.remove();
  localStorage.clear();
});
