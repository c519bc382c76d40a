import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { Link, useLocation } from '@site/kit';
import { RouteAnnouncer } from './route-announcer.tsx';

function Site() {
  const { pathname } = useLocation();
  return (
    <>
      <title>{`Page ${pathname}`}</title>
      <Link to="/blocks">to blocks</Link>
      <Link to="/blocks#pricing">to pricing</Link>
      <Link to="?filter=agency">to filter</Link>
      <Link to="?filter=agency#answer">to filter with answer</Link>
      <Link to="#answer">to answer</Link>
      <Link to="/start#%E0%A4%A">to nonsense</Link>
      <main id="main" tabIndex={-1}>
        <section id="pricing">Pricing</section>
        <details>
          <summary>Question</summary>
          <p id="answer">Answer</p>
        </details>
      </main>
      <RouteAnnouncer />
    </>
  );
}

const go = (name: string) => userEvent.click(screen.getByRole('link', { name }));

beforeEach(() => {
  renderPage(<Site />, { path: '/home' });
});

test('is silent and does not move the focus on the first page', () => {
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  expect(document.body).toHaveFocus();
});

test("announces the new page's title and moves the focus to its content", async () => {
  await go('to blocks');
  expect(screen.getByRole('status')).toHaveTextContent('Page /blocks');
  expect(screen.getByRole('main')).toHaveFocus();
});

test("moves the focus to the link's anchor", async () => {
  await go('to pricing');
  expect(screen.getByText('Pricing')).toHaveFocus();
});

test('a change of the query does not move the focus', async () => {
  await go('to filter');
  expect(screen.getByRole('link', { name: 'to filter' })).toHaveFocus();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('moves the focus to the anchor again on a second click', async () => {
  await go('to answer');
  await go('to answer');
  expect(screen.getByText('Answer')).toHaveFocus();
});

test('a change of the query does not move the focus, even if the URL has an anchor', async () => {
  await go('to answer');
  await go('to filter with answer');
  expect(screen.getByRole('link', { name: 'to filter with answer' })).toHaveFocus();
});

test('does not move the focus on a first page with an anchor in the URL', () => {
  cleanup();
  renderPage(<Site />, { path: '/home#answer' });
  expect(document.body).toHaveFocus();
});

test('an anchor inside a closed question opens it', async () => {
  await go('to answer');
  expect(screen.getByRole('group')).toHaveAttribute('open');
  expect(screen.getByText('Answer')).toHaveFocus();
});

test('a hash that cannot be decoded is not an anchor', async () => {
  await go('to nonsense');
  expect(screen.getByRole('main')).toHaveFocus();
});
