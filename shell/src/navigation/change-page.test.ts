import { changePage } from './change-page.ts';

const main = document.createElement('main');
main.id = 'main';
main.animate = jest.fn();
window.matchMedia = () => ({ matches: false }) as MediaQueryList;
const isArriving = () => !main.hasAttribute('data-whole');

beforeEach(() => document.body.replaceChildren(main));

test('layout below the fold is deferred until after the first frame, after the scroll', async () => {
  const steps: string[] = [];
  const note = (step: string) => () => void steps.push(`${step} ${isArriving()}`);
  changePage(note('update'), note('arrive'), 'page-top');
  expect(steps).toEqual(['update true', 'arrive true']);
  expect(isArriving()).toBe(true);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(isArriving()).toBe(false);
});

test('a page not shown from its top is laid out completely before the scroll', () => {
  changePage(
    () => undefined,
    () => undefined,
    'page-top',
  );
  changePage(
    () => expect(isArriving()).toBe(false),
    () => expect(isArriving()).toBe(false),
    'page-place',
  );
  expect.assertions(2);
});

test.each([
  ['same-page', 0],
  ['page-top', 1],
  ['page-place', 1],
] as const)('a navigation that arrives at "%s" fades the page in %i times', (arrival, times) => {
  const animate = jest.fn();
  main.animate = animate;
  changePage(
    () => undefined,
    () => undefined,
    arrival,
  );
  expect(animate).toHaveBeenCalledTimes(times);
});
