import { createFormDrafts } from './form-drafts.ts';

const counting = () => {
  let count = 0;
  return () => `key-${++count}`;
};

beforeEach(() => sessionStorage.clear());

test('keeps the key over a reload: whoever never saw the answer and sends the same again is stored once', () => {
  createFormDrafts(() => 'before').keyOf('referral', { email: 'a@x.com' });
  const reloaded = createFormDrafts(() => 'after');
  expect(reloaded.keyOf('referral', { email: 'a@x.com' })).toBe('before');
  reloaded.clear('referral');
  expect(sessionStorage).toHaveLength(0);
});

test('passes over what it did not keep', () => {
  sessionStorage.setItem('form:referral', 'not json');
  expect(createFormDrafts(() => 'new').keyOf('referral', { email: 'a@x.com' })).toBe('new');
});

test('keeps one key for the same values, so that a retry is stored once', () => {
  const drafts = createFormDrafts(counting());
  expect(drafts.keyOf('referral', { email: 'a@x.com' })).toBe('key-1');
  expect(drafts.keyOf('referral', { email: 'a@x.com' })).toBe('key-1');
});

test('takes a new key for corrected values, so that the correction is not dropped as a repetition', () => {
  const drafts = createFormDrafts(counting());
  drafts.keyOf('referral', { email: 'a@x.com' });
  expect(drafts.keyOf('referral', { email: 'b@x.com' })).toBe('key-2');
});

test('takes a new key for the same values after they have arrived', () => {
  const drafts = createFormDrafts(counting());
  drafts.keyOf('referral', { email: 'a@x.com' });
  drafts.clear('referral');
  expect(drafts.keyOf('referral', { email: 'a@x.com' })).toBe('key-2');
});

test('keeps what was typed, by form, until it has arrived', () => {
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'a@x.com' });
  expect(drafts.read('partner-application')).toBeUndefined();
  drafts.clear('referral');
  expect(drafts.read('referral')).toBeUndefined();
});
