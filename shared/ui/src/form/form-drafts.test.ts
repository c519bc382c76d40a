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

test('keeps what was typed when the document is left, until it has arrived', () => {
  createFormDrafts().keep('referral', { email: 'a@x.com', services: ['design'] });
  const reloaded = createFormDrafts();
  expect(reloaded.read('referral')).toEqual({ email: 'a@x.com', services: ['design'] });
  expect(reloaded.read('partner-application')).toBeUndefined();
  reloaded.clear('referral');
  expect(createFormDrafts().read('referral')).toBeUndefined();
  expect(sessionStorage).toHaveLength(0);
});

test('keeps nothing of a form that is as it was at first', () => {
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  drafts.keep('referral', undefined);
  expect(sessionStorage).toHaveLength(0);
});

test('keeps the key of what was sent while it is typed on', () => {
  createFormDrafts(() => 'before').keyOf('referral', { email: 'a@x.com' });
  createFormDrafts().keep('referral', { email: 'a@x.co' });
  expect(createFormDrafts(() => 'after').keyOf('referral', { email: 'a@x.com' })).toBe('before');
});

test.each(['not json', 'null', '5', '{"values":null,"sent":null}', '{"content":"{}","key":"old"}'])(
  'passes over what it did not keep: %s',
  (text) => {
    sessionStorage.setItem('form:referral', text);
    const drafts = createFormDrafts(() => 'new');
    expect(drafts.read('referral')).toBeUndefined();
    expect(drafts.keyOf('referral', { email: 'a@x.com' })).toBe('new');
  },
);

test('lasts as long as the document where the browser forbids storage', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'a@x.com' });
  expect(createFormDrafts().read('referral')).toBeUndefined();
  jest.restoreAllMocks();
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

test('keeps what was typed since the form was sent when it arrives, as another one with a key of its own', () => {
  const drafts = createFormDrafts(counting());
  drafts.keep('referral', { email: 'a@x.com' });
  drafts.keyOf('referral', { email: 'a@x.com' });
  drafts.keep('referral', { email: 'b@x.com' });
  drafts.clear('referral');
  expect(drafts.read('referral')).toEqual({ email: 'b@x.com' });
  expect(drafts.keyOf('referral', { email: 'a@x.com' })).toBe('key-2');
});

test('keeps what was typed while the key of what was sent is made', () => {
  const drafts = createFormDrafts(counting());
  drafts.keep('referral', { email: 'b@x.com' });
  drafts.keyOf('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'b@x.com' });
});

test('keeps what was typed, by form, until it has arrived', () => {
  const drafts = createFormDrafts();
  drafts.keep('referral', { email: 'a@x.com' });
  expect(drafts.read('referral')).toEqual({ email: 'a@x.com' });
  expect(drafts.read('partner-application')).toBeUndefined();
  drafts.clear('referral');
  expect(drafts.read('referral')).toBeUndefined();
});

test('a document that was away finds what other documents of the tab have stored or sent since', () => {
  const first = createFormDrafts();
  first.keep('referral', { email: 'a@x.com' });
  createFormDrafts().keep('referral', { email: 'b@x.com' });
  expect(first.read('referral')).toEqual({ email: 'b@x.com' });
  createFormDrafts().clear('referral');
  expect(first.read('referral')).toBeUndefined();
});
