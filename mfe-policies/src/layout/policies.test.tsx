import { act, screen, within } from '@testing-library/react';
import { renderPage } from '@site/testing/render-page';
import remote from '../../remote.config.ts';
import CookiesPage from '../pages/cookies-page.tsx';
import PrivacyPage from '../pages/privacy-page.tsx';
import SupportPolicyPage from '../pages/support-page.tsx';
import TermsAndConditionsPage from '../pages/terms-and-conditions-page.tsx';
import TermsOfServicePage from '../pages/terms-of-service-page.tsx';
import { policies } from './policies.data.ts';

const pages = [
  ['/policies/privacy', PrivacyPage],
  ['/policies/terms-and-conditions', TermsAndConditionsPage],
  ['/policies/terms-of-service', TermsOfServicePage],
  ['/policies/support', SupportPolicyPage],
  ['/policies/cookies', CookiesPage],
] as const;

describe.each(pages)('%s', (path, PolicyPage) => {
  const title = policies.find((policy) => policy.path === path)!.title;

  test('lists all five policies and marks the current one', () => {
    renderPage(<PolicyPage />, { path });
    const links = within(screen.getByRole('navigation', { name: 'Policies' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(pages.map(([each]) => each));
    expect(links.filter((link) => link.getAttribute('aria-current') === 'page')).toEqual([
      screen.getByRole('link', { name: title, current: 'page' }),
    ]);
  });

  test('has one title, and a table of contents with links to its headings', () => {
    const { container } = renderPage(<PolicyPage />, { path });
    expect(screen.getAllByRole('heading', { level: 1 }).map((heading) => heading.textContent)).toEqual([
      title,
    ]);

    const entries = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
    expect(entries.length).toBeGreaterThan(5);
    for (const entry of entries) {
      const target = container.querySelector(entry.getAttribute('href')!);
      expect(target?.querySelector('h2')?.textContent).toBe(entry.textContent);
    }
  });

  test('links only to existing anchors', () => {
    const { container } = renderPage(<PolicyPage />, { path });
    const anchors = [...container.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')!);
    expect(anchors).not.toEqual([]);
    expect(anchors.filter((anchor) => container.querySelector(anchor) === null)).toEqual([]);
  });
});

test('each policy has a date: agreements when they took effect, the others of their last change', () => {
  const dates = pages.map(([path, PolicyPage]) => {
    const { container, unmount } = renderPage(<PolicyPage />, { path });
    const date = /(Effective|Last updated) [A-Z][a-z]+ \d+, \d{4}/.exec(container.textContent)?.[0];
    unmount();
    return date;
  });
  expect(dates).toHaveLength(5);
  expect(dates[2]).toBe('Effective February 15, 2024');
  expect(new Set([...dates.slice(0, 2), ...dates.slice(3)])).toEqual(
    new Set(['Last updated November 28, 2026']),
  );
});

test('the table of contents marks the section that is read', () => {
  let report: IntersectionObserverCallback = () => undefined;
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      report = callback;
    }
    observe(): void {}
    disconnect(): void {}
  }
  Object.defineProperty(window, 'IntersectionObserver', { value: Observer, configurable: true });
  const { container } = renderPage(<TermsOfServicePage />, { path: '/policies/terms-of-service' });
  const marked = () =>
    [...container.querySelectorAll('[aria-current="location"]')].map((link) => link.getAttribute('href'));
  expect(marked()).toEqual([]);
  const seen = (id: string, isIntersecting: boolean) =>
    ({ target: container.querySelector(`#${id}`), isIntersecting }) as unknown as IntersectionObserverEntry;
  act(() => report([seen('fees', true), seen('renewal', true)], {} as IntersectionObserver));
  expect(marked()).toEqual(['#renewal']);
  act(() => report([seen('renewal', false)], {} as IntersectionObserver));
  expect(marked()).toEqual(['#fees']);
  // Back at the top.
  act(() => report([seen('fees', false)], {} as IntersectionObserver));
  expect(marked()).toEqual([]);
  Reflect.deleteProperty(window, 'IntersectionObserver');
});

test('every policy has its page and the redirect from its old path', () => {
  const declared = remote.pages.map(({ path }) => path).filter((path) => path.startsWith('/policies/'));
  expect(declared).toEqual(policies.map(({ path }) => path));
  expect(remote.redirects).toEqual(
    policies.map(({ path }) => ({ from: path.replace('/policies/', '/company-policies/'), to: path })),
  );
});
