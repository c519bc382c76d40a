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

test('the first focusable element skips to the content', async () => {
  renderPage(<Layout>{null}</Layout>);
  await userEvent.tab();
  expect(document.activeElement).toHaveTextContent('Skip to content');
  expect(document.activeElement).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
});

/** Prerenders the layout, simulates an interaction, and then hydrates. Returns the hydration errors. */
async function hydrate(touch: () => void = () => undefined): Promise<unknown[]> {
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
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(site);
  touch();
  const repaired: unknown[] = [];
  // Sections are hydrated one by one: wait for all of them.
  await act(async () => {
    hydrateRoot(root, site, { onRecoverableError: (error) => repaired.push(error) });
    await Promise.resolve();
  });
  return repaired;
}

describe('the prerendered layout', () => {
  afterEach(() => {
    document.body.replaceChildren();
    localStorage.clear();
  });

  test('hydrates without a mismatch, even with a stored theme', async () => {
    localStorage.setItem('theme', 'dark');
    expect(await hydrate()).toEqual([]);
  });

  test('keeps the SUPPORT dropdown open if it was opened before hydration', async () => {
    const menu = () => screen.getByLabelText('More support').closest('details') as HTMLDetailsElement;
    expect(await hydrate(() => (menu().open = true))).toEqual([]);
    expect(menu()).toHaveAttribute('open');
    // After hydration a click outside closes it.
    await userEvent.click(document.body);
    expect(menu()).not.toHaveAttribute('open');
  });
});
