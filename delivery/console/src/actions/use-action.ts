import { useEffect, useReducer, useRef, useState, type RefObject } from 'react';
import type { CallError } from '../data/call-error.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import type { ActionOutcome, ConsoleAction, Order } from './action.ts';

/** Where a person is with an action. */
export type ActionState = {
  /** What somebody else changed since the dialog was opened, until the person has seen it. */
  meanwhile: string | null;
  /** An attempt of the last order was lost, and no later attempt showed its outcome: the change may still happen. */
  isOutcomeUnknown: boolean;
} & (
  | { step: 'looking' }
  | { step: 'ready'; plan: ActionOutcome }
  | { step: 'refused'; error: CallError }
  /** `againMs`: the wait before the next attempt; null while no answer was lost. */
  | { step: 'sending'; againMs: number | null }
  | { step: 'done'; outcome: ActionOutcome; startedAt: number }
);

type Event =
  | { type: 'moved'; meanwhile: string | null }
  | { type: 'looked'; plan: ActionOutcome }
  | { type: 'lookedAgain'; plan: ActionOutcome }
  | { type: 'refused'; error: CallError }
  | { type: 'refusedAfterLoss'; error: CallError }
  | { type: 'seen' }
  | { type: 'sent' }
  | { type: 'lost'; againMs: number }
  | { type: 'done'; outcome: ActionOutcome; startedAt: number };

function reduce(state: ActionState, event: Event): ActionState {
  const { meanwhile, isOutcomeUnknown } = state;
  switch (event.type) {
    case 'moved':
      return { step: 'looking', meanwhile: event.meanwhile ?? meanwhile, isOutcomeUnknown };
    case 'looked':
      return { step: 'ready', plan: event.plan, meanwhile, isOutcomeUnknown };
    case 'lookedAgain':
      // The person did not wait for it, and may be further by now.
      if (state.step !== 'ready') return state;
      return {
        ...state,
        plan: event.plan,
        meanwhile: isOther(event.plan, state.plan) ? SOMETHING : meanwhile,
      };
    case 'refused':
      return { step: 'refused', error: event.error, meanwhile, isOutcomeUnknown };
    case 'refusedAfterLoss':
      return { step: 'refused', error: event.error, meanwhile, isOutcomeUnknown: true };
    case 'seen':
      return { ...state, meanwhile: null };
    case 'sent':
      return { step: 'sending', againMs: null, meanwhile, isOutcomeUnknown };
    case 'lost':
      return state.step === 'sending' ? { ...state, againMs: event.againMs } : state;
    case 'done':
      return { ...event, step: 'done', meanwhile: null, isOutcomeUnknown: false };
  }
}

/** What a dry run stands under; it is not kept. */
const LOOKING = 'to see what would happen';

const SOMETHING = 'Something changed meanwhile.';

/** Whether the edges would end up somewhere else. Plans without edges mention times, too, which differ at each look. */
const isOther = (plan: ActionOutcome, before: ActionOutcome) =>
  plan.changed !== before.changed ||
  (plan.goal !== null && plan.lines.join('\n') !== before.lines.join('\n'));

/** A lost answer is asked for again after so long, under the same key. */
const REPEAT_MS = 2_000;

type Channel = AnswerTo<'readChannel'>;

type SentOrder = Omit<Order, 'dryRun'> & { key: string };

/**
 * The life of one action: a dry run first, again whenever the channel has changed meanwhile; then the order, repeated under
 * its key until the registry has answered.
 *
 * @param ownChange is over when the views below hold what this person changed last. A look before that would take it for
 * somebody else's.
 */
export function useAction(action: ConsoleAction, ownChange: RefObject<Promise<unknown>>) {
  const { ask, channel, reads } = useConsole();
  const { data: now, error } = useRead('readChannel', { params: { channel } });
  const [state, tell] = useReducer(reduce, {
    step: 'looking',
    meanwhile: null,
    isOutcomeUnknown: false,
  });
  const before = useRef<Channel | null>(null);
  const isOrdered = useRef(false);
  const lostOrder = useRef<SentOrder | null>(null);
  const isGone = useRef(false);
  const [round, lookAgain] = useReducer((rounds: number) => rounds + 1, 0);
  const [isUpToDate, setUpToDate] = useState(false);
  const revision = now?.revision;
  const unread = now === undefined ? error : null;

  useEffect(() => {
    isGone.current = false;
    void ownChange.current.finally(() => !isGone.current && setUpToDate(true));
    return () => {
      isGone.current = true;
    };
  }, [ownChange]);

  useEffect(() => {
    if (unread) tell({ type: 'refused', error: unread });
    if (now === undefined || !isUpToDate || isOrdered.current) return undefined;
    let isOver = false;
    const hasMoved = before.current !== null && before.current.revision !== revision;
    const meanwhile = before.current && hasMoved ? whatMoved(before.current, now) : null;
    before.current = now;
    // The revision counts whatever is done anywhere, such as a version that is published: what stands here may still be so.
    const isAside = hasMoved && meanwhile === null;
    // Why an order was refused stays, until the person has read it.
    if (isAside && state.step === 'refused') return undefined;
    const looksBelow = isAside && state.step === 'ready';
    if (!looksBelow) tell({ type: 'moved', meanwhile });
    action.run(ask, { reason: LOOKING, dryRun: true, live: now.release?.id }).then(
      (plan) => !isOver && tell({ type: looksBelow ? 'lookedAgain' : 'looked', plan }),
      (error: unknown) =>
        !isOver && !isOrdered.current && tell({ type: 'refused', error: error as CallError }),
    );
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a new look only when the channel has moved, or somebody wants one
  }, [revision, round, unread, isUpToDate]);

  async function send(order: SentOrder): Promise<void> {
    if (isOrdered.current) return;
    isOrdered.current = true;
    // From now on: the dialog may be closed before the answer, and the next one opened at once.
    let endWaiting = () => {};
    ownChange.current = new Promise<void>((resolve) => {
      endWaiting = resolve;
    });
    const startedAt = performance.now();
    tell({ type: 'sent' });
    while (!isGone.current) {
      try {
        const outcome = await action.run(ask, { ...order, dryRun: false });
        lostOrder.current = null;
        tell({ type: 'done', outcome, startedAt });
        break;
      } catch (error) {
        const failed = error as CallError;
        if (failed.failure === 'no-answer') lostOrder.current = order;
        const isLost = lostOrder.current === order;
        // Rate limiting comes before the registry reads the request, so it says nothing of the lost attempt.
        if (failed.failure === 'no-answer' || (isLost && failed.againAfterMs !== undefined)) {
          const againMs = Math.max(REPEAT_MS, failed.againAfterMs ?? 0);
          tell({ type: 'lost', againMs });
          // Nobody knows what it waits for.
          endWaiting();
          await new Promise((resolve) => setTimeout(resolve, againMs));
          continue;
        }
        // Perhaps somebody was faster: what is shown must be new before the next attempt.
        isOrdered.current = false;
        // The registry continues a request whose connection was lost, so a refused repetition settles nothing.
        tell({ type: isLost ? 'refusedAfterLoss' : 'refused', error: failed });
        break;
      }
    }
    ownChange.current = reads.refresh().finally(endWaiting);
  }

  const confirm = (reason: string) =>
    send({ reason, key: crypto.randomUUID(), live: before.current?.release?.id });

  /** Sends the lost order again under its key, so it is made at most once. */
  async function repeat(): Promise<void> {
    if (lostOrder.current) await send(lostOrder.current);
  }

  function lookOnceMore(): void {
    if (unread) void reads.refresh();
    else lookAgain();
  }

  return { state, confirm, repeat, lookAgain: lookOnceMore, markSeen: () => tell({ type: 'seen' }) };
}

/** What is different, in one sentence: the newest of it, with who did it and why. Null when none of it is. */
function whatMoved(before: Channel, now: Channel): string | null {
  if (now.release && now.release.id !== before.release?.id) {
    const { id, by, reason } = now.release;
    return `${id} went live meanwhile, by ${by}: ${reason}`;
  }
  if (now.canary && now.canary.release.id !== before.canary?.release.id) {
    const { release, share, by } = now.canary;
    return `The canary ${release.id} has started meanwhile, for ${share} %, by ${by}: ${release.reason}`;
  }
  if (before.canary && !now.canary) return `The canary ${before.canary.release.id} has ended meanwhile.`;
  if (now.canary && now.canary.share !== before.canary?.share) {
    return `The canary ${now.canary.release.id} is now seen by ${now.canary.share} %.`;
  }
  return whatFroze(before.freezes, now.freezes);
}

function whatFroze(before: Channel['freezes'], now: Channel['freezes']): string | null {
  const begun = now.find(({ app, at }) => !before.some((each) => each.app === app && each.at === at));
  if (begun) return `${begun.app ?? 'Everything'} was frozen meanwhile, by ${begun.by}: ${begun.reason}`;
  const lifted = before.find(({ app }) => !now.some((each) => each.app === app));
  return lifted ? `The freeze of ${lifted.app ?? 'everything'} was lifted meanwhile.` : null;
}
