import { screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import { questions, steps } from './template-page.data.ts';
import TemplatePage from './template-page.tsx';

const part = (name: string) => within(screen.getByRole('region', { name }));

test('says in its only main heading what it is about', () => {
  renderPage(<TemplatePage />, { path: '/template' });
  expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual([
    'Template title',
  ]);
});

test('shows the steps in their order', () => {
  renderPage(<TemplatePage />, { path: '/template' });
  const shown = part('How it works').getAllByRole('heading', { level: 3 });
  expect(shown.map(({ textContent }) => textContent)).toEqual(steps.map(({ title }) => title));
});

test('answers every question', () => {
  renderPage(<TemplatePage />, { path: '/template' });
  for (const { question, answer } of questions) {
    expect(part('Questions').getByText(question)).toBeInTheDocument();
    expect(part('Questions').getByText(answer)).toBeInTheDocument();
  }
});

test('leads to the start and to support', () => {
  renderPage(<TemplatePage />, { path: '/template' });
  expect(screen.getByRole('link', { name: 'Start Building Free' })).toHaveAttribute('href', '/start/');
  expect(screen.getByRole('link', { name: 'Ask us' })).toHaveAttribute('href', '/support');
});
