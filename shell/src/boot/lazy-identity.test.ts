import type { Identity } from '../identity/create-identity.ts';
import { createNewsletterOutbox, type NewsletterOutbox } from '../identity/newsletter-outbox.ts';
import { createLazyIdentity } from './lazy-identity.ts';

const start = jest.fn();
const arrived = {
  start,
  guest: { get: () => ({ guestId: 'g' }), subscribe: () => () => undefined },
} as unknown as Identity;

const later = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  start.mockClear();
});

test('code that failed to load is retried with increasing delays, and the session starts once', async () => {
  const log = jest.spyOn(console, 'error').mockReturnValue();
  const load = jest.fn(() => Promise.reject<Identity>(new Error('no network')));
  const identity = createLazyIdentity(load);
  identity.start();
  await later();
  expect(identity.guest.get()).toEqual({ guestId: null });
  await jest.advanceTimersByTimeAsync(1999);
  expect(load).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);

  load.mockResolvedValue(arrived);
  await jest.advanceTimersByTimeAsync(4000);
  expect(identity.guest.get()).toEqual({ guestId: 'g' });
  window.dispatchEvent(new Event('online'));
  await jest.runAllTimersAsync();
  expect(load).toHaveBeenCalledTimes(3);
  expect(start).toHaveBeenCalledTimes(1);
  expect(log).toHaveBeenCalledTimes(2);
});

test('after ten retries only the return of the network triggers another one', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const load = jest.fn(() => Promise.reject<Identity>(new Error('no network')));
  createLazyIdentity(load).start();
  await jest.runAllTimersAsync();
  expect(load).toHaveBeenCalledTimes(11);

  load.mockResolvedValue(arrived);
  window.dispatchEvent(new Event('online'));
  await later();
  expect(load).toHaveBeenCalledTimes(12);
  expect(start).toHaveBeenCalledTimes(1);
});

test('loads on first use, and only once', async () => {
  const submitForm = jest.fn(() => Promise.resolve({ status: 'accepted' as const }));
  const load = jest.fn(() => Promise.resolve({ ...arrived, submitForm } as unknown as Identity));
  const identity = createLazyIdentity(load);
  expect(load).not.toHaveBeenCalled();
  const form = { source: 'referral', email: 'a@b.co', fields: {}, idempotencyKey: 'k' } as const;
  expect(await Promise.all([identity.submitForm(form), identity.submitForm(form)])).toHaveLength(2);
  expect(load).toHaveBeenCalledTimes(1);
  expect(start).toHaveBeenCalledTimes(1);
});

test('a form whose code fails to load gets an error message, and nothing throws', async () => {
  const identity = createLazyIdentity(() => Promise.reject(new Error('no network')));
  const form = { source: 'referral', email: 'a@b.co', fields: {}, idempotencyKey: 'k' } as const;
  expect(await identity.submitForm(form)).toMatchObject({ status: 'failed' });
});

test('a subscription whose code fails to load is logged, survives a reload and is then sent immediately', async () => {
  const log = jest.spyOn(console, 'error').mockReturnValue();
  const load = jest.fn<Promise<Identity>, [NewsletterOutbox]>(() => Promise.reject(new Error('no network')));
  const identity = createLazyIdentity(load);
  expect(await identity.subscribeToNewsletter('ada@example.com')).toBeNull();
  const kept = { email: 'ada@example.com', retries: 0, nextAt: Date.now() };
  const outbox = createNewsletterOutbox(localStorage, () => 'unused');
  expect(outbox.all()).toEqual([{ ...kept, key: expect.stringMatching(/^[0-9a-f]{32}$/) as string }]);

  load.mockResolvedValue(arrived);
  window.dispatchEvent(new Event('online'));
  await later();
  // The identity's code sends the kept subscriptions.
  expect(load.mock.lastCall?.[0].all()).toEqual(outbox.all());
  expect(log).toHaveBeenCalledTimes(1);
});

test('a subscription is stored before its code is requested, which then finds it', async () => {
  localStorage.clear();
  const subscribeToNewsletter = jest.fn(() => Promise.resolve('Thank you.'));
  const identity = createLazyIdentity((outbox) => {
    expect(outbox.all()).toMatchObject([{ email: 'ada@example.com', honeypot: 'spam' }]);
    return Promise.resolve({ ...arrived, subscribeToNewsletter });
  });
  const later = () => undefined;
  expect(await identity.subscribeToNewsletter(' ada@example.com', 'spam', later)).toBe('Thank you.');
  expect(subscribeToNewsletter).toHaveBeenCalledWith(' ada@example.com', 'spam', later);
  expect(localStorage).toHaveLength(1);
});

test('a field whose address waits for the code is notified of its delivery', async () => {
  localStorage.clear();
  jest.spyOn(console, 'error').mockReturnValue();
  const told = jest.fn();
  const load = jest.fn<Promise<Identity>, [NewsletterOutbox]>(() => Promise.reject(new Error('no network')));
  const identity = createLazyIdentity(load);
  expect(await identity.subscribeToNewsletter('ada@example.com', '', told)).toBeNull();
  load.mockImplementation((outbox) => {
    // Simulates the identity's retry: the subscription's key identifies the field.
    for (const { key } of outbox.all()) outbox.takeListener(key)?.('Thank you.');
    return Promise.resolve(arrived);
  });
  window.dispatchEvent(new Event('online'));
  await later();
  expect(told.mock.calls).toEqual([['Thank you.']]);
});
