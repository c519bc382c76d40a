import { render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { testConfig } from '@site/testing/render-page';
import {
  ArrivalContext,
  SiteContext,
  StructuredDataContext,
  type SiteServices,
  type StructuredData,
} from './host.ts';
import { Page } from './page.tsx';

const services: SiteServices = {
  config: testConfig,
  guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
  submitForm: () => Promise.resolve({ status: 'accepted' }),
};
const data: StructuredData[] = [{ '@type': 'FAQPage', name: 'Questions' }];
const page = (
  <SiteContext value={services}>
    <MemoryRouter initialEntries={['/start/']}>
      <Page title="Start" description="How to start" structuredData={data}>
        <h1>Start</h1>
      </Page>
    </MemoryRouter>
  </SiteContext>
);

test('sets title, description and canonical URL in the head', () => {
  render(page);
  expect(document.title).toBe('Start · Blocks');
  const content = (selector: string) => document.head.querySelector(selector)?.getAttribute('content');
  expect(content('meta[name="description"]')).toBe('How to start');
  expect(content('meta[property="og:title"]')).toBe('Start · Blocks');
  expect(content('meta[property="og:description"]')).toBe('How to start');
  const canonical = document.head.querySelector('link[rel="canonical"]');
  expect(canonical).toHaveAttribute('href', 'https://site.test/start');
  expect(content('meta[property="og:url"]')).toBe('https://site.test/start');
});

test('passes structured data to the renderer, and creates no script in the browser', () => {
  const told: unknown[] = [];
  renderToStaticMarkup(
    <StructuredDataContext value={(said) => told.push(...said)}>{page}</StructuredDataContext>,
  );
  expect(told).toEqual(data);
  render(page);
  expect(document.querySelector('script')).toBeNull();
});

/** The page's content in its first frame and in the end. */
function arrive(fromTop: boolean, names: string[], address = '/') {
  let first: string[] = [];
  const standing = (container: Element) => [...container.children].map(({ textContent }) => textContent);
  function Hero() {
    useLayoutEffect(() => {
      first = standing(document.getElementById('place')!);
    }, []);
    return <h1>Hero</h1>;
  }
  render(
    <SiteContext value={services}>
      <MemoryRouter initialEntries={[address]}>
        <ArrivalContext value={fromTop}>
          <main id="place">
            <Page title="Start" description="How to start">
              <Hero />
              {names.map((name) => (
                <p key={name}>{name}</p>
              ))}
            </Page>
          </main>
        </ArrivalContext>
      </MemoryRouter>
    </SiteContext>,
  );
  return { first, last: standing(document.getElementById('place')!) };
}

test('after a click, the first part is shown first, above reserved space for the others', () => {
  expect(arrive(true, ['a', 'b', 'c'])).toEqual({ first: ['Hero', ''], last: ['Hero', 'a', 'b', 'c'] });
});

test.each([
  ['opened in the middle, or as the first one', false, ['a', 'b', 'c'], '/'],
  ['of one part', true, [], '/'],
  ['shown at an anchor, which may be in any part,', true, ['a', 'b'], '/#apply'],
])('a page that is %s is complete immediately', (_, fromTop, names, address) => {
  const whole = ['Hero', ...names];
  expect(arrive(fromTop, names, address)).toEqual({ first: whole, last: whole });
});
