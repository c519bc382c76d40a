import { createPlaceKeeper } from './place-keeper.ts';

let pageGrows: () => void = () => undefined;
let height = 1_000;
const scroll = jest.fn();

beforeEach(() => {
  scroll.mockClear();
  height = 1_000;
  class FakeResizeObserver {
    constructor(callback: () => void) {
      pageGrows = callback;
    }
    observe = () => undefined;
    disconnect = () => (pageGrows = () => undefined);
  }
  Object.defineProperty(window, 'ResizeObserver', { value: FakeResizeObserver, configurable: true });
  Object.defineProperty(document.documentElement, 'scrollHeight', { get: () => height, configurable: true });
});
afterEach(() => {
  Reflect.deleteProperty(window, 'ResizeObserver');
  setScrollY(0);
});

function setScrollY(value: number): void {
  Object.defineProperty(window, 'scrollY', { value, configurable: true });
}

test('scrolls to the place again when the page grows', () => {
  createPlaceKeeper(window).hold(scroll);
  expect(scroll).toHaveBeenCalledTimes(1);
  pageGrows();
  expect(scroll).toHaveBeenCalledTimes(2);
});

test.each(['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'input', 'resize'])(
  'a %s by the visitor releases the place',
  (act) => {
    const place = createPlaceKeeper(window);
    place.hold(scroll);
    window.dispatchEvent(new Event(act));
    pageGrows();
    expect(scroll).toHaveBeenCalledTimes(1);
    expect(place.isHolding()).toBe(false);
  },
);

test('a scroll without an input event, as by a screen reader, releases the place; a scroll caused by page growth does not', () => {
  const place = createPlaceKeeper(window);
  place.hold(scroll);
  height = 3_000;
  setScrollY(2_000);
  window.dispatchEvent(new Event('scroll'));
  expect(place.isHolding()).toBe(true);
  pageGrows();
  setScrollY(2_500);
  window.dispatchEvent(new Event('scroll'));
  expect(place.isHolding()).toBe(false);
});

test('a new place replaces the previous one', () => {
  const place = createPlaceKeeper(window);
  place.hold(scroll);
  place.hold(() => undefined);
  pageGrows();
  expect(scroll).toHaveBeenCalledTimes(1);
});
