import type { SubmitResult } from '@site/kit';
import { createMemoryStorage, createNewsletterOutbox, type KeptSubscription } from './newsletter-outbox.ts';
import { formDrafts } from '@site/ui/form/form-drafts';
import { ownSubscriptions, sendSubscription, waitingTime } from './newsletter.ts';

afterEach(() => formDrafts.clear('newsletter'));

function newsletterAnswering(result: SubmitResult, retries = 0) {
  const outbox = createNewsletterOutbox(createMemoryStorage(), () => 'key');
  const subscription = { ...outbox.add('a@example.com', 0), retries, nextAt: 0 };
  const deps = {
    outbox,
    submitForm: jest.fn(() => Promise.resolve(result)),
    now: () => 1000,
    log: { error: jest.fn() },
    guestId: () => 'g1',
  };
  return { deps, outcome: sendSubscription(subscription, deps) };
}

test('a delivered subscription is deleted', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'accepted' });
  expect(await outcome).toEqual({ status: 'accepted' });
  expect(deps.submitForm).toHaveBeenCalledWith({
    source: 'newsletter',
    email: 'a@example.com',
    fields: {},
    idempotencyKey: 'key',
  });
  expect(deps.outbox.all()).toEqual([]);
  expect(deps.log.error).not.toHaveBeenCalled();
});

test('a failed subscription is logged and kept for a retry', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: 'Later.' });
  expect(await outcome).toMatchObject({ status: 'failed' });
  expect(deps.log.error).toHaveBeenCalledWith('Error sending subscription', 'Later.');
  expect(deps.outbox.all()).toEqual([
    { key: 'key', email: 'a@example.com', retries: 1, nextAt: 6000, guest: 'g1' },
  ]);
});

test('the delays grow', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: '' }, 3);
  await outcome;
  expect(deps.outbox.all()).toMatchObject([{ retries: 4, nextAt: 41_000 }]);
});

test('after the tenth retry it is deleted, and returns to the field', async () => {
  const ninth = newsletterAnswering({ status: 'failed', message: '' }, 9);
  await ninth.outcome;
  expect(ninth.deps.outbox.all()).toMatchObject([{ retries: 10 }]);
  const tenth = newsletterAnswering({ status: 'failed', message: '' }, 10);
  expect(formDrafts.read('newsletter')).toBeUndefined();
  await tenth.outcome;
  expect(tenth.deps.outbox.all()).toEqual([]);
  expect(formDrafts.read('newsletter')).toEqual({ email: 'a@example.com' });
});

test('regardless of reloads, it is sent once and retried ten times', async () => {
  const storage = createMemoryStorage();
  const submitForm = jest.fn(() => Promise.resolve({ status: 'failed' as const, message: '' }));
  let kept: KeptSubscription | undefined = createNewsletterOutbox(storage, () => 'key').add(
    'a@example.com',
    0,
  );
  const waits: number[] = [];
  while (kept) {
    const now = kept.nextAt;
    const outbox = createNewsletterOutbox(storage, () => 'unused');
    await sendSubscription(kept, {
      outbox,
      submitForm,
      now: () => now,
      log: { error: jest.fn() },
      guestId: () => null,
    });
    kept = createNewsletterOutbox(storage, () => 'unused').all()[0];
    if (kept) waits.push((kept.nextAt - now) / 1000);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
  expect(submitForm).toHaveBeenCalledTimes(11);
});

test('a failed early retry does not count', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: '' });
  await outcome;
  const waiting = { key: 'key', email: 'a@example.com', retries: 10, nextAt: 2000 };
  deps.outbox.update(waiting);
  expect(await sendSubscription(waiting, deps)).toMatchObject({ status: 'failed' });
  expect(deps.outbox.all()).toEqual([waiting]);
});

test("the honeypot's value is stored and sent", async () => {
  const { deps } = newsletterAnswering({ status: 'accepted' });
  const storage = createMemoryStorage();
  createNewsletterOutbox(storage, () => 'spam-key').add('a@example.com', 0, 'spam');
  const [kept] = createNewsletterOutbox(storage, () => 'unused').all();
  await sendSubscription(kept!, deps);
  expect(deps.submitForm).toHaveBeenCalledWith({
    source: 'newsletter',
    email: 'a@example.com',
    fields: { reference_note: 'spam' },
    idempotencyKey: 'spam-key',
  });
});

test('an address that the service rejects is logged, not sent again, and kept for the field', async () => {
  const errors = [{ field: 'email', message: 'Enter an email address.' }];
  const { deps, outcome } = newsletterAnswering({ status: 'rejected', errors });
  expect(await outcome).toMatchObject({ status: 'rejected' });
  expect(deps.log.error).toHaveBeenCalledWith('Error sending subscription', 'Enter an email address.');
  expect(deps.outbox.all()).toEqual([]);
  // The next document shows it again.
  expect(formDrafts.read('newsletter')).toEqual({ email: 'a@example.com' });
});

test('an attempt scheduled beyond the longest delay, because of a wrong clock, is due and counts', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: '' });
  await outcome;
  const month = { key: 'key', email: 'a@example.com', retries: 3, nextAt: 30 * 86_400_000 };
  deps.outbox.update(month);
  expect(waitingTime(month, deps.now())).toBe(0);
  await sendSubscription(month, deps);
  expect(deps.outbox.all()).toMatchObject([{ ...month, retries: 4, nextAt: 41_000 }]);
});

test('subscriptions of other guests and of none are withdrawn once the guest is known', () => {
  const storage = createMemoryStorage();
  const entry = (email: string, guest?: string | null) =>
    JSON.stringify({ email, retries: 0, nextAt: 0, guest });
  storage.setItem('newsletter:mine', entry('mine@example.com', 'g1'));
  storage.setItem('newsletter:none', entry('none@example.com'));
  storage.setItem('newsletter:null', entry('null@example.com', null));
  storage.setItem('newsletter:other', entry('other@example.com', 'g2'));
  const inner = createNewsletterOutbox(storage, () => 'new');
  let guest: string | null = null;
  const outbox = ownSubscriptions(inner, () => guest);
  inner.add('new@example.com', 0);
  const addresses = () => outbox.all().map(({ email }) => email);
  expect(addresses()).toEqual(['new@example.com']);
  guest = 'g1';
  expect(addresses()).toEqual(['mine@example.com', 'new@example.com']);
  expect(inner.all()).toHaveLength(2);
  expect(formDrafts.read('newsletter')).toEqual({ email: 'none@example.com' });
});
