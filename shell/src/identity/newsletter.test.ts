import type { SubmitResult } from '@site/kit';
import { createMemoryStorage, createNewsletterOutbox } from './newsletter-outbox.ts';
import { sendSubscription } from './newsletter.ts';

function newsletterAnswering(result: SubmitResult, retries = 0) {
  const outbox = createNewsletterOutbox(createMemoryStorage(), () => 'key');
  const subscription = { ...outbox.add('a@example.com', 0), retries };
  const deps = {
    outbox,
    submitForm: jest.fn(() => Promise.resolve(result)),
    now: () => 1000,
    log: { error: jest.fn() },
  };
  return { deps, outcome: sendSubscription(subscription, deps) };
}

test('a subscription that arrived is kept no longer', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'accepted' });
  expect(await outcome).toBe('sent');
  expect(deps.submitForm).toHaveBeenCalledWith({
    source: 'newsletter',
    email: 'a@example.com',
    fields: {},
    idempotencyKey: 'key',
  });
  expect(deps.outbox.all()).toEqual([]);
  expect(deps.log.error).not.toHaveBeenCalled();
});

test('one that failed is logged and kept for a later try', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: 'Later.' });
  expect(await outcome).toBe('failed');
  expect(deps.log.error).toHaveBeenCalledWith('Error sending subscription', 'Later.');
  expect(deps.outbox.all()).toEqual([{ key: 'key', email: 'a@example.com', retries: 1, nextAt: 6000 }]);
});

test('the delays grow', async () => {
  const { deps, outcome } = newsletterAnswering({ status: 'failed', message: '' }, 3);
  await outcome;
  expect(deps.outbox.all()).toMatchObject([{ retries: 4, nextAt: 41_000 }]);
});

test('after the tenth retry it is given up', async () => {
  const ninth = newsletterAnswering({ status: 'failed', message: '' }, 9);
  await ninth.outcome;
  expect(ninth.deps.outbox.all()).toMatchObject([{ retries: 10 }]);
  const tenth = newsletterAnswering({ status: 'failed', message: '' }, 10);
  await tenth.outcome;
  expect(tenth.deps.outbox.all()).toEqual([]);
});

test('an address that the service refuses is logged and not sent again', async () => {
  const errors = [{ field: 'email', message: 'Enter an email address.' }];
  const { deps, outcome } = newsletterAnswering({ status: 'rejected', errors });
  expect(await outcome).toBe('failed');
  expect(deps.log.error).toHaveBeenCalledWith('Error sending subscription', 'Enter an email address.');
  expect(deps.outbox.all()).toEqual([]);
});
