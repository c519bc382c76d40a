import { createScrollMemory } from './scroll-memory.ts';

beforeEach(() => {
  sessionStorage.clear();
});

test('a position is found again after a reload', () => {
  createScrollMemory(sessionStorage).save('a', 320);
  expect(createScrollMemory(sessionStorage).find('a')).toBe(320);
});

test('without storage positions live as long as the page', () => {
  const memory = createScrollMemory(null);
  memory.save('a', 10);
  expect(memory.find('a')).toBe(10);
  expect(memory.find('b')).toBeUndefined();
});

test('storage that is full or holds nonsense disturbs nobody', () => {
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

test('the oldest positions are forgotten first', () => {
  const memory = createScrollMemory(sessionStorage);
  for (let entry = 0; entry < 101; entry += 1) memory.save(String(entry), entry);
  expect(memory.find('0')).toBeUndefined();
  expect(memory.find('1')).toBe(1);
});

test('a document that was away does not overwrite what the documents since have stored', () => {
  const first = createScrollMemory(sessionStorage);
  first.save('a', 10);
  createScrollMemory(sessionStorage).save('b', 900);
  first.save('a', 20);
  const third = createScrollMemory(sessionStorage);
  expect([third.find('a'), third.find('b')]).toEqual([20, 900]);
  expect(first.find('b')).toBe(900);
});
