/** @jest-environment node */
import { lazy, Suspense, use, useId, type ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { renderMarkup } from './render-markup.ts';

const later = (text: string) => {
  const Later = () => <form aria-labelledby={useId()}>{text}</form>;
  return lazy(() => Promise.resolve({ default: Later }));
};
const whatPrerenderGives = async (page: ReactNode) =>
  new Response((await prerender(page, { progressiveChunkSize: Infinity })).prelude).text();

test.each([
  ['without lazy code', () => () => <p id={useId()}>At {'once'} &amp; whole.</p>],
  ['with lazy code', () => later('It came later.')],
  ['so long that React would append it', () => later('long '.repeat(5_000))],
])('a part %s is in the page, as in prerendered markup', async (_which, part) => {
  const page = (Part: ReturnType<typeof part>) => (
    <main>
      <title>A page</title>
      <Suspense fallback="Wait.">
        <Part />
      </Suspense>
      <Suspense>
        <footer id="end" />
      </Suspense>
    </main>
  );
  const markup = await renderMarkup(page(part()));
  expect(markup).toBe(await whatPrerenderGives(page(part())));
  expect(markup).not.toContain('Wait.');
});

test('a page that does not suspend is rendered once', async () => {
  const Page = jest.fn(() => <p>At once.</p>);
  expect(await renderMarkup(<Page />)).toBe('<p>At once.</p>');
  expect(Page).toHaveBeenCalledTimes(1);
});

test('waits for a page that suspends outside all boundaries', async () => {
  const answer = Promise.resolve('It came.');
  const Page = () => <p>{use(answer)}</p>;
  expect(await renderMarkup(<Page />)).toBe('<p>It came.</p>');
});

test.each([
  ['alone', (part: ReactNode) => part],
  ['in a boundary that would catch it', (part: ReactNode) => <Suspense fallback="Wait.">{part}</Suspense>],
])("rethrows a page's error %s", async (_where, around) => {
  const error = new Error('It broke.');
  const Broken = () => {
    throw error;
  };
  await expect(renderMarkup(<main>{around(<Broken />)}</main>)).rejects.toBe(error);
});
