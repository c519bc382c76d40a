import { changePage } from './change-page.ts';

const main = document.createElement('main');
main.id = 'main';
main.animate = jest.fn();
window.matchMedia = () => ({ matches: false }) as MediaQueryList;
const isArriving = () => main.hasAttribute('data-arriving');

beforeEach(() => document.body.replaceChildren(main));

test('what is far below is left for after the first frame, once the page stands and is scrolled', async () => {
  const steps: string[] = [];
  const note = (step: string) => () => void steps.push(`${step} ${isArriving()}`);
  changePage(note('update'), note('arrive'), true);
  expect(steps).toEqual(['update true', 'arrive true']);
  expect(isArriving()).toBe(true);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(isArriving()).toBe(false);
});

test('a page that is not shown from its top is laid out whole before it is scrolled', () => {
  changePage(
    () => undefined,
    () => undefined,
    true,
  );
  changePage(
    () => expect(isArriving()).toBe(false),
    () => expect(isArriving()).toBe(false),
    false,
  );
  expect.assertions(2);
});
