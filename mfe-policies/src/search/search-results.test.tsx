import { screen } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { SearchResults } from './search-results.tsx';

test('shows each result as text, with a link', () => {
  const results = [{ href: '/start#pricing', title: 'Start', heading: '<b>Plans</b>', text: '<img src=x>' }];
  renderPage(<SearchResults found={{ query: '<i>', results }} />);
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('1 result for “<i>”');
  expect(screen.getByRole('link')).toHaveAttribute('href', '/start#pricing');
  expect(screen.getByRole('link')).toHaveTextContent('Start<b>Plans</b>');
  expect(document.querySelector('img, b, i')).toBeNull();
});

test('explains what to do without results or without a search', () => {
  renderPage(<SearchResults found={{ query: 'x', results: [] }} />);
  expect(screen.getByText(/^Check the spelling/)).toBeVisible();
  renderPage(<SearchResults found={{ query: 'x', results: [], isBusy: true }} />);
  expect(screen.getByText(/Try again in a minute/)).toBeVisible();
});
