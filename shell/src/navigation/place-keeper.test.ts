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

test('a place is scrolled to again when the page grows', () => {
  createPlaceKeeper(window).hold(scroll);
  expect(scroll).toHaveBeenCalledTimes(1);
  pageGrows();
  expect(scroll).toHaveBeenCalledTimes(2);
});

test.each(['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'input', 'resize'])(
  'after a %s of the visitor the place is no longer held',
  (act) => {
    const place = createPlaceKeeper(window);
    place.hold(scroll);
    window.dispatchEvent(new Event(act));
    pageGrows();
    expect(scroll).toHaveBeenCalledTimes(1);
    expect(place.isHolding()).toBe(false);
  },
);

test('a scroll without an input event, as by a screen reader, releases the place; one that the growth of the page causes does not', () => {
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

test('a place that is held replaces the one before', () => {
  const place = createPlaceKeeper(window);
  place.hold(scroll);
  place.hold(() => undefined);
  pageGrows();
  expect(scroll).toHaveBeenCalledTimes(1);
});
