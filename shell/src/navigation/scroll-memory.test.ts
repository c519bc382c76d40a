import { createScrollMemory } from './scroll-memory.ts';

beforeEach(() => {
  sessionStorage.clear();
});

test('a position survives a reload', () => {
  createScrollMemory(sessionStorage).save('a', 320);
  expect(createScrollMemory(sessionStorage).find('a')).toBe(320);
});

test('without storage positions last as long as the page', () => {
  const memory = createScrollMemory(null);
  memory.save('a', 10);
  expect(memory.find('a')).toBe(10);
  expect(memory.find('b')).toBeUndefined();
});

test('full or invalid storage is harmless', () => {
  const full = {
    getItem: () => 'no json',
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const memory = createScrollMemory(full);
  memory.save('a', 10);
  expect(memory.find('a')).toBe(10);
});

test.each(['null', '7', '{}', '[1]', '[null]', '[["a"]]', '[["a","top"],[1,2]]'])(
  'entries of another program are ignored: %s',
  (stored) => {
    sessionStorage.setItem('scroll-positions', stored);
    const memory = createScrollMemory(sessionStorage);
    expect(memory.find('a')).toBeUndefined();
    memory.save('a', 10);
    expect(memory.find('a')).toBe(10);
  },
);

test('the oldest positions are dropped first', () => {
  const memory = createScrollMemory(sessionStorage);
  for (let entry = 0; entry < 101; entry += 1) memory.save(String(entry), entry);
  expect(memory.find('0')).toBeUndefined();
  expect(memory.find('1')).toBe(1);
});

test('a restored document does not overwrite newer positions of other documents', () => {
  const first = createScrollMemory(sessionStorage);
  first.save('a', 10);
  createScrollMemory(sessionStorage).save('b', 900);
  first.save('a', 20);
  const third = createScrollMemory(sessionStorage);
  expect([third.find('a'), third.find('b')]).toEqual([20, 900]);
  expect(first.find('b')).toBe(900);
});
