import { createMemoryStorage, createNewsletterOutbox } from './newsletter-outbox.ts';

let drawn = 0;
const uuid = () => `key-${(drawn += 1)}`;

beforeEach(() => {
  drawn = 0;
  localStorage.clear();
});

test('a stored subscription survives a reload', () => {
  const kept = createNewsletterOutbox(localStorage, uuid).add('a@example.com', 1000);
  expect(kept).toEqual({ key: 'key-1', email: 'a@example.com', retries: 0, nextAt: 61_000 });
  expect(createNewsletterOutbox(localStorage, uuid).all()).toEqual([kept]);
});

test('the same address is stored once, with the same key', () => {
  const outbox = createNewsletterOutbox(localStorage, uuid);
  outbox.add('a@example.com', 0);
  expect(outbox.add('a@example.com', 5000)).toMatchObject({ key: 'key-1', nextAt: 65_000 });
  expect(outbox.add('b@example.com', 0)).toMatchObject({ key: 'key-2' });
  expect(outbox.all().map(({ email }) => email)).toEqual(['b@example.com', 'a@example.com']);
});

test('a late failure does not restore a delivered subscription', () => {
  const outbox = createNewsletterOutbox(localStorage, uuid);
  const kept = outbox.add('a@example.com', 0);
  outbox.update({ ...kept, retries: 1 });
  expect(outbox.all()).toEqual([{ ...kept, retries: 1 }]);
  createNewsletterOutbox(localStorage, uuid).remove(kept.key);
  outbox.update({ ...kept, retries: 2 });
  expect(outbox.all()).toEqual([]);
});

test('foreign and invalid storage entries are ignored and kept', () => {
  localStorage.setItem('theme', 'dark');
  localStorage.setItem('newsletter:x', 'not json');
  localStorage.setItem('newsletter:y', '{"email":7}');
  localStorage.setItem('newsletter:z', 'null');
  expect(createNewsletterOutbox(localStorage, uuid).all()).toEqual([]);
  expect(localStorage.getItem('theme')).toBe('dark');
});

test("a full storage loses nothing during the page's lifetime", () => {
  const full = createMemoryStorage();
  full.setItem = () => {
    throw new DOMException('Full', 'QuotaExceededError');
  };
  const outbox = createNewsletterOutbox(full, uuid);
  const kept = outbox.add('a@example.com', 0);
  expect(outbox.all()).toEqual([kept]);
  outbox.remove(kept.key);
  expect(outbox.all()).toEqual([]);
});
