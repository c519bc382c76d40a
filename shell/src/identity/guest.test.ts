import { emptyGuest, readGuest } from './guest.ts';

const attributes = {
  email: 'a@example.com',
  unique_id: 'u1',
  user_unique_id: 'u2',
  registered_at: '2026-01-01',
};

test('a guest keeps its IDs', () => {
  expect(readGuest({ id: 'g1', attributes })).toMatchObject({
    id: 'g1',
    uniqueId: 'u1',
    userUniqueId: 'u2',
    email: 'a@example.com',
    registeredAt: '2026-01-01',
  });
});

test("missing IDs default to the guest's ID, and other missing fields are empty", () => {
  expect(readGuest({ id: 'g1' })).toMatchObject({
    id: 'g1',
    uniqueId: 'g1',
    userUniqueId: 'g1',
    email: '',
    registeredAt: null,
  });
});

test.each([null, 'g1', {}, { id: '' }, { id: 1 }])('%j is not a guest', (data) => {
  expect(readGuest(data)).toEqual(emptyGuest);
});
