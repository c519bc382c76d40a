import { completeLayout } from './complete-layout.ts';
import { deferLayout } from './defer-layout.ts';

const isWhole = () => document.getElementById('main')!.hasAttribute('data-whole');
const styleOf = (id: string) => document.getElementById(id)!.style.contentVisibility;

beforeEach(() => {
  document.body.innerHTML =
    '<header id="header"></header><main id="main"><div id="first"></div><div id="second"></div></main><footer id="footer"></footer>';
  jest.spyOn(globalThis, 'getComputedStyle').mockImplementation(
    ({ id }) =>
      ({
        contentVisibility: ['second', 'footer'].includes(id) ? 'auto' : 'visible',
      }) as CSSStyleDeclaration,
  );
});

test('the deferred parts get their layout in one frame each, then the page is whole and no part is marked', () => {
  const frames: FrameRequestCallback[] = [];
  jest.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((task) => frames.push(task));
  const nextFrame = () => frames.shift()!(0);
  completeLayout();
  expect([styleOf('first'), styleOf('second'), styleOf('footer')]).toEqual(['', 'visible', '']);
  nextFrame();
  expect([styleOf('header'), styleOf('footer'), isWhole()]).toEqual(['', 'visible', false]);
  nextFrame();
  expect([styleOf('second'), styleOf('footer'), isWhole()]).toEqual(['', '', true]);
  expect(frames).toEqual([]);
});

test('a whole page is deferred again for the next one', () => {
  deferLayout(false);
  expect(isWhole()).toBe(true);
  deferLayout(true);
  expect(isWhole()).toBe(false);
});
