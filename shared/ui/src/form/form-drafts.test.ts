import { createFormDrafts } from './form-drafts.ts';

const counting = () => {
  let count = 0;
  return () => `key-${++count}`;
};

beforeEach(() => sessionStorage.clear());

test('keeps the key over a reload, so that a retry after a lost response is stored once', () => {
  createFormDrafts(() => 'before').idempotencyKey('referral', { email: 'a@x.com' });
  const reloaded = createFormDrafts(() => 'after');
  expect(reloaded.idempotencyKey('referral', { email: 'a@x.com' })).toBe('before');
  reloaded.clear('referral');
  expect(sessionStorage).toHaveLength(0);
});

test('keeps the draft in the next document, until its delivery', () => {
  createFormDrafts().keep('referral', { email: 'a@x.com', services: ['design'] });
  const reloaded = createFormDrafts();
  expect(reloaded.read('referral')).toEqual({ email: 'a@x.com', services: ['design'] });
  expect(reloaded.read('partner-application')).toBeUndefined();
  reloaded.clear('referral');
  expect(createFormDrafts().read('referral')).toBeUndefined();
  expect(sessionStorage).toHaveLength(0);
});

test('stores nothing for an unchanged form', () => {
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  drafts.keep('referral', undefined);
  expect(sessionStorage).toHaveLength(0);
});

test('keeps the key of the submission during further input', () => {
  createFormDrafts(() => 'before').idempotencyKey('referral', { email: 'a@x.com' });
  createFormDrafts().keep('referral', { email: 'a@x.co' });
  expect(createFormDrafts(() => 'after').idempotencyKey('referral', { email: 'a@x.com' })).toBe('before');
});

test.each(['not json', 'null', '5', '{"values":null,"sent":null}', '{"content":"{}","key":"old"}'])(
  'ignores invalid entries: %s',
  (text) => {
    sessionStorage.setItem('form:referral', text);
    const drafts = createFormDrafts(() => 'new');
    expect(drafts.read('referral')).toBeUndefined();
    expect(drafts.idempotencyKey('referral', { email: 'a@x.com' })).toBe('new');
  },
);

test('lasts as long as the document if the browser denies storage', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'a@x.com' });
  expect(createFormDrafts().read('referral')).toBeUndefined();
  jest.restoreAllMocks();
});

test('keeps the key for the same values, so that a retry is stored once', () => {
  const drafts = createFormDrafts(counting());
  expect(drafts.idempotencyKey('referral', { email: 'a@x.com' })).toBe('key-1');
  expect(drafts.idempotencyKey('referral', { email: 'a@x.com' })).toBe('key-1');
});

test('creates a new key for corrected values, so that the correction is not dropped as a duplicate', () => {
  const drafts = createFormDrafts(counting());
  drafts.idempotencyKey('referral', { email: 'a@x.com' });
  expect(drafts.idempotencyKey('referral', { email: 'b@x.com' })).toBe('key-2');
});

test('creates a new key for the same values after their delivery', () => {
  const drafts = createFormDrafts(counting());
  drafts.idempotencyKey('referral', { email: 'a@x.com' });
  drafts.clear('referral');
  expect(drafts.idempotencyKey('referral', { email: 'a@x.com' })).toBe('key-2');
});

test('keeps input since the submission as a new draft with a new key', () => {
  const drafts = createFormDrafts(counting());
  drafts.keep('referral', { email: 'a@x.com' });
  drafts.idempotencyKey('referral', { email: 'a@x.com' });
  drafts.keep('referral', { email: 'b@x.com' });
  drafts.clear('referral');
  expect(drafts.read('referral')).toEqual({ email: 'b@x.com' });
  expect(drafts.idempotencyKey('referral', { email: 'a@x.com' })).toBe('key-2');
});

test("keeps input during the creation of the submission's key", () => {
  const drafts = createFormDrafts(counting());
  drafts.keep('referral', { email: 'b@x.com' });
  drafts.idempotencyKey('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'b@x.com' });
});

test('keeps a draft per form, until its delivery', () => {
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'a@x.com' });
  expect(drafts.read('partner-application')).toBeUndefined();
  drafts.clear('referral');
  expect(drafts.read('referral')).toBeUndefined();
});

test("a restored document sees the drafts and submissions of the tab's other documents", () => {
  const first = createFormDrafts();
  first.keep('referral', { email: 'a@x.com' });
  createFormDrafts().keep('referral', { email: 'b@x.com' });
  expect(first.read('referral')).toEqual({ email: 'b@x.com' });
  createFormDrafts().clear('referral');
  expect(first.read('referral')).toBeUndefined();
});

test('creates keys on an insecure origin, where browsers omit crypto.randomUUID', () => {
  const { randomUUID } = crypto;
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    expect(createFormDrafts().idempotencyKey('partner-application', { email: 'a@x.com' })).toMatch(
      /^[0-9a-f]{32}$/,
    );
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
  }
});
