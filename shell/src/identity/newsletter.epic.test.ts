import { of } from 'rxjs';
import { subscriptionFailed, subscriptionSent } from './actions.ts';
import { newsletterEpic } from './newsletter.epic.ts';
import { createMemoryStorage, createNewsletterOutbox, type KeptSubscription } from './newsletter-outbox.ts';
import { runEpic } from './testing/marbles.ts';

const values = { f: subscriptionFailed(), s: subscriptionSent() };

/** An outbox with subscriptions that are due at these times, each for the address of its index. */
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

test('a subscription that an earlier visit left is sent when its time has come', () => {
  const outbox = outboxWith(3000);
  const sendSubscription = jest.fn(({ key }: KeptSubscription) => {
    outbox.remove(key);
    return of('sent' as const);
  });
  runEpic(newsletterEpic, {
    actions: '',
    expected: '3s s',
    values,
    dependencies: () => ({ outbox, sendSubscription }),
  });
  expect(sendSubscription).toHaveBeenCalledWith(
    expect.objectContaining({ key: 'key-0', email: '0@example.com' }),
  );
});

test('one that fails again is sent again at its new time', () => {
  const outbox = outboxWith(3000);
  const outcomes = ['failed', 'sent'] as const;
  let call = 0;
  runEpic(newsletterEpic, {
    actions: '3001ms f',
    expected: '3s f 9999ms s',
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

test('nothing is sent when nothing is kept', () => {
  runEpic(newsletterEpic, {
    actions: 'f',
    expected: '-',
    values,
    dependencies: () => ({ outbox: outboxWith() }),
  });
});

test('without network no try is wasted; when it returns, everything is sent, one after the other', () => {
  const outbox = outboxWith(0, 900_000);
  runEpic(newsletterEpic, {
    actions: '',
    expected: '10s ---s--s',
    values,
    dependencies: ({ cold, hot }) => ({
      outbox,
      isOnline: () => false,
      online$: hot('10s o'),
      sendSubscription: ({ key }) => {
        outbox.remove(key);
        return cold('---(s|)', { s: 'sent' as const });
      },
    }),
  });
  expect(outbox.all()).toEqual([]);
});

test('what is already being sent is not sent twice at once', () => {
  const outbox = outboxWith(0);
  const sendSubscription = jest.fn();
  runEpic(newsletterEpic, {
    actions: '',
    expected: '5s s',
    values,
    dependencies: ({ cold, hot }) => ({
      outbox,
      online$: hot('1s o'),
      sendSubscription: sendSubscription.mockReturnValue(cold('5s (s|)', { s: 'sent' as const })),
    }),
  });
  expect(sendSubscription).toHaveBeenCalledTimes(1);
});

test('when another tab sent what was due, the next one is still sent at its time', () => {
  const outbox = outboxWith(1000, 5000);
  let rounds = 0;
  runEpic(newsletterEpic, {
    actions: '',
    expected: '5s s',
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
        return of('sent' as const);
      },
    }),
  });
  expect(rounds).toBe(2);
});

test('a visitor who returns to the tab has it send what another tab left meanwhile', () => {
  const outbox = outboxWith();
  runEpic(newsletterEpic, {
    actions: '',
    expected: '2s s',
    values,
    dependencies: ({ hot }) => ({
      outbox: { ...outbox, all: () => [{ key: 'left', email: 'a@example.com', retries: 1, nextAt: 1500 }] },
      isOnline: (() => {
        let asked = 0;
        return () => asked++ > 0; // away at 1.5 s
      })(),
      resume$: hot('2s v'),
      sendSubscription: () => of('sent' as const),
    }),
  });
});

test('what another tab sent meanwhile is not sent again', () => {
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

test('a subscription that is due in a month, by a clock that was wrong, is sent once and now', () => {
  const outbox = outboxWith(30 * 86_400_000);
  let rounds = 0;
  runEpic(newsletterEpic, {
    actions: '',
    expected: 's',
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
        return of('sent' as const);
      },
    }),
  });
  expect(rounds).toBe(1);
});
