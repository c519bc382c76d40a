import { of } from 'rxjs';
import { subscriptionAttempted } from './actions.ts';
import { newsletterEpic } from './newsletter.epic.ts';
import { createMemoryStorage, createNewsletterOutbox, type KeptSubscription } from './newsletter-outbox.ts';
import { runEpic } from './testing/marbles.ts';

const values = { a: subscriptionAttempted() };

/** An outbox with subscriptions due at these times, addressed by index. */
function outboxWith(...times: number[]) {
  const storage = createMemoryStorage();
  times.forEach((nextAt, index) =>
    storage.setItem(
      `newsletter:key-${index}`,
      JSON.stringify({ email: `${index}@example.com`, retries: 1, nextAt }),
    ),
  );
  return createNewsletterOutbox(storage, () => 'unused');
}

test('a subscription of an earlier visit is sent when it is due', () => {
  const outbox = outboxWith(3000);
  const sendSubscription = jest.fn(({ key }: KeptSubscription) => {
    outbox.remove(key);
    return of(null);
  });
  runEpic(newsletterEpic, {
    actions: '',
    expected: '3s a',
    values,
    dependencies: () => ({ outbox, sendSubscription }),
  });
  expect(sendSubscription).toHaveBeenCalledWith(
    expect.objectContaining({ key: 'key-0', email: '0@example.com' }),
  );
});

test('a subscription that fails again is resent at its new time', () => {
  const outbox = outboxWith(3000);
  const outcomes = ['failed', 'sent'] as const;
  let call = 0;
  runEpic(newsletterEpic, {
    actions: '3001ms a',
    expected: '3s a 9999ms a',
    values,
    dependencies: () => ({
      outbox,
      sendSubscription: (subscription) => {
        const outcome = outcomes[call++] ?? 'failed';
        if (outcome === 'sent') outbox.remove(subscription.key);
        else outbox.update({ ...subscription, nextAt: 13_000 });
        return of(outcome);
      },
    }),
  });
  expect(call).toBe(2);
});

test('nothing is sent without stored subscriptions', () => {
  runEpic(newsletterEpic, {
    actions: 'a',
    expected: '-',
    values,
    dependencies: () => ({ outbox: outboxWith() }),
  });
});

test('offline, no attempt is wasted; when the network returns, everything is sent in sequence', () => {
  const outbox = outboxWith(0, 900_000);
  runEpic(newsletterEpic, {
    actions: '',
    expected: '10s ---a--a',
    values,
    dependencies: ({ cold, hot }) => ({
      outbox,
      isOnline: () => false,
      online$: hot('10s o'),
      sendSubscription: ({ key }) => {
        outbox.remove(key);
        return cold('---(s|)', { s: null });
      },
    }),
  });
  expect(outbox.all()).toEqual([]);
});

test('a subscription in progress is not sent twice', () => {
  const outbox = outboxWith(0);
  const sendSubscription = jest.fn();
  runEpic(newsletterEpic, {
    actions: '',
    expected: '5s a',
    values,
    dependencies: ({ cold, hot }) => ({
      outbox,
      online$: hot('1s o'),
      sendSubscription: sendSubscription.mockReturnValue(cold('5s (s|)', { s: null })),
    }),
  });
  expect(sendSubscription).toHaveBeenCalledTimes(1);
});

test('after another tab sent the due subscription, the next one is still sent when due', () => {
  const outbox = outboxWith(1000, 5000);
  let rounds = 0;
  runEpic(newsletterEpic, {
    actions: '',
    expected: '5s a',
    values,
    dependencies: () => ({
      outbox,
      outboxLock: {
        run: (work$) => {
          if (rounds++ === 0) outbox.remove('key-0');
          return work$;
        },
      },
      sendSubscription: ({ key }) => {
        outbox.remove(key);
        return of(null);
      },
    }),
  });
  expect(rounds).toBe(2);
});

test("a visitor's return sends the subscriptions of another tab", () => {
  const outbox = outboxWith();
  runEpic(newsletterEpic, {
    actions: '',
    expected: '2s a',
    values,
    dependencies: ({ hot }) => ({
      outbox: { ...outbox, all: () => [{ key: 'left', email: 'a@example.com', retries: 1, nextAt: 1500 }] },
      isOnline: (() => {
        let asked = 0;
        return () => asked++ > 0; // offline at 1.5 s
      })(),
      resume$: hot('2s v'),
      sendSubscription: () => of(null),
    }),
  });
});

test('a subscription sent by another tab is not sent again', () => {
  const outbox = outboxWith(0);
  runEpic(newsletterEpic, {
    actions: '',
    expected: '-',
    values,
    dependencies: () => ({
      outbox,
      outboxLock: {
        run: (work$) => {
          outbox.remove('key-0');
          return work$;
        },
      },
    }),
  });
});

test('a subscription due in a month, because of a wrong clock, is sent once and immediately', () => {
  const outbox = outboxWith(30 * 86_400_000);
  let rounds = 0;
  runEpic(newsletterEpic, {
    actions: '',
    expected: 'a',
    values,
    dependencies: () => ({
      outbox,
      outboxLock: {
        run: (work$) => {
          rounds += 1;
          return work$;
        },
      },
      sendSubscription: ({ key }) => {
        outbox.remove(key);
        return of(null);
      },
    }),
  });
  expect(rounds).toBe(1);
});
