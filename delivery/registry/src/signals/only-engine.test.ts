import { onlyIn } from './only-engine.ts';

const views = { chromium: 700, gecko: 100, webkit: 200 };

test.each([
  ['Safari', { webkit: 5 }, views],
  ['Firefox', { gecko: 4 }, views],
  [null, { webkit: 4 }, views],
  [null, { webkit: 50, gecko: 1 }, views],
  [null, { webkit: 50, other: 1 }, views],
  ['Chromium-based browsers', { chromium: 20 }, views],
  [null, { chromium: 15 }, views],
  [null, { other: 50 }, views],
  [null, {}, views],
  [null, { webkit: 50 }, { webkit: 500 }],
  [null, { webkit: 50 }, {}],
])('%s: faults %j of views %j', (name, faults, of) => {
  expect(onlyIn(faults, of)).toBe(name);
});
