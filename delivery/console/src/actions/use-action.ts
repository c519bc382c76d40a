import { useEffect, useReducer, useRef, useState, type RefObject } from 'react';
import type { CallError } from '../data/call-error.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import type { ActionOutcome, ConsoleAction, Order } from './action.ts';

export type ActionState = {
  meanwhile: string | null;
  /** An attempt was lost and no later one showed the outcome: the change may still happen. */
  isOutcomeUnknown: boolean;
} & (
  | { step: 'looking' }
  | { step: 'ready'; plan: ActionOutcome }
  | { step: 'refused'; error: CallError }
  /** `againMs`: delay before the next attempt; null while no response was lost. */
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
      if (state.step !== 'ready') return state;
      return {
        ...state,
        plan: event.plan,
        meanwhile: differs(event.plan, state.plan) ? UNKNOWN_CHANGE : meanwhile,
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

const DRY_RUN_REASON = 'dry run';

const UNKNOWN_CHANGE = 'Something has changed in the meantime.';

/**
 * Whether the edges would end up in another state. Plans without edges contain times, which differ on each
 * dry run.
 */
const differs = (plan: ActionOutcome, before: ActionOutcome) =>
  plan.changed !== before.changed ||
  (plan.goal !== null && plan.lines.join('\n') !== before.lines.join('\n'));

const REPEAT_MS = 2_000;

type Channel = AnswerTo<'readChannel'>;

type SentOrder = Omit<Order, 'dryRun'> & { key: string };

/**
 * A dry run, repeated whenever the channel changes; then the request, retried with its key until the registry responds.
 * @param ownChange until it resolves, the views would show the user's own change as a concurrent one.
 */
export function useAction(action: ConsoleAction, ownChange: RefObject<Promise<unknown>>) {
  const { ask, channel, reads } = useConsole();
  const { data: now, error } = useRead('readChannel', { params: { channel } });
  const [state, dispatch] = useReducer(reduce, {
    step: 'looking',
    meanwhile: null,
    isOutcomeUnknown: false,
  });
  const before = useRef<Channel | null>(null);
  const isOrdered = useRef(false);
  const lostOrder = useRef<SentOrder | null>(null);
  const isUnmounted = useRef(false);
  const [round, lookAgain] = useReducer((rounds: number) => rounds + 1, 0);
  const [isUpToDate, setUpToDate] = useState(false);
  const revision = now?.revision;
  const unread = now === undefined ? error : null;

  useEffect(() => {
    isUnmounted.current = false;
    void ownChange.current.finally(() => !isUnmounted.current && setUpToDate(true));
    return () => {
      isUnmounted.current = true;
    };
  }, [ownChange]);

  useEffect(() => {
    if (unread) dispatch({ type: 'refused', error: unread });
    if (now === undefined || !isUpToDate || isOrdered.current) return undefined;
    let isOver = false;
    const hasMoved = before.current !== null && before.current.revision !== revision;
    const meanwhile = before.current && hasMoved ? describeChange(before.current, now) : null;
    before.current = now;
    // The revision also counts unrelated changes, such as published versions: the plan may still be valid.
    const isAside = hasMoved && meanwhile === null;
    // Keep the reason of a rejection until the user has read it.
    if (isAside && state.step === 'refused') return undefined;
    const isBackground = isAside && state.step === 'ready';
    if (!isBackground) dispatch({ type: 'moved', meanwhile });
    action.run(ask, { reason: DRY_RUN_REASON, dryRun: true, live: now.release?.id }).then(
      (plan) => !isOver && dispatch({ type: isBackground ? 'lookedAgain' : 'looked', plan }),
      (error: unknown) =>
        !isOver && !isOrdered.current && dispatch({ type: 'refused', error: error as CallError }),
    );
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- only for a new revision or an explicit retry
  }, [revision, round, unread, isUpToDate]);

  async function send(order: SentOrder): Promise<void> {
    if (isOrdered.current) return;
    isOrdered.current = true;
    // From here on: the dialog may close before the response, and another may open immediately.
    let endWaiting = () => {};
    ownChange.current = new Promise<void>((resolve) => {
      endWaiting = resolve;
    });
    const startedAt = performance.now();
    dispatch({ type: 'sent' });
    while (!isUnmounted.current) {
      try {
        const outcome = await action.run(ask, { ...order, dryRun: false });
        lostOrder.current = null;
        dispatch({ type: 'done', outcome, startedAt });
        break;
      } catch (error) {
        const failed = error as CallError;
        if (failed.failure === 'no-answer') lostOrder.current = order;
        const isLost = lostOrder.current === order;
        // Rate limiting precedes the request's handling, so it does not reveal the lost attempt's outcome.
        if (failed.failure === 'no-answer' || (isLost && failed.againAfterMs !== undefined)) {
          const againMs = Math.max(REPEAT_MS, failed.againAfterMs ?? 0);
          dispatch({ type: 'lost', againMs });
          // The outcome is unknown, so stop waiting.
          endWaiting();
          await new Promise((resolve) => setTimeout(resolve, againMs));
          continue;
        }
        // Possibly a concurrent change: refresh the plan before the next attempt.
        isOrdered.current = false;
        // The registry continues a request after its connection is lost, so a rejected retry settles nothing.
        dispatch({ type: isLost ? 'refusedAfterLoss' : 'refused', error: failed });
        break;
      }
    }
    ownChange.current = reads.refresh().finally(endWaiting);
  }

  const confirm = (reason: string) =>
    send({ reason, key: crypto.randomUUID(), live: before.current?.release?.id });

  /** Sends the lost request again with its key, so the change is made at most once. */
  async function repeat(): Promise<void> {
    if (lostOrder.current) await send(lostOrder.current);
  }

  function retry(): void {
    if (unread) void reads.refresh();
    else lookAgain();
  }

  return { state, confirm, repeat, lookAgain: retry, markSeen: () => dispatch({ type: 'seen' }) };
}

function describeChange(before: Channel, now: Channel): string | null {
  if (now.release && now.release.id !== before.release?.id) {
    const { id, by, reason } = now.release;
    return `${id} went live in the meantime, by ${by}: ${reason}`;
  }
  return (
    describeCanaryChange(before.canaries, now.canaries) ?? describeFreezeChange(before.freezes, now.freezes)
  );
}

function describeCanaryChange(before: Channel['canaries'], now: Channel['canaries']): string | null {
  const isIn = (list: Channel['canaries'], { release }: Channel['canaries'][number]) =>
    list.find((canary) => canary.release.id === release.id);
  const begun = now.find((canary) => !isIn(before, canary));
  if (begun) {
    const { release, app, share } = begun;
    return `The canary ${release.id} of ${app} was started in the meantime with ${share} %, by ${release.by}: ${release.reason}`;
  }
  const ended = before.find((canary) => !isIn(now, canary));
  if (ended) return `The canary ${ended.release.id} of ${ended.app} has ended in the meantime.`;
  const changed = now.find((canary) => isIn(before, canary)?.share !== canary.share);
  return changed
    ? `The canary ${changed.release.id} of ${changed.app} is now shown to ${changed.share} %.`
    : null;
}

function describeFreezeChange(before: Channel['freezes'], now: Channel['freezes']): string | null {
  const begun = now.find(({ app, at }) => !before.some((each) => each.app === app && each.at === at));
  if (begun)
    return `${begun.app ?? 'Everything'} was frozen in the meantime, by ${begun.by}: ${begun.reason}`;
  const lifted = before.find(({ app }) => !now.some((each) => each.app === app));
  return lifted ? `The freeze of ${lifted.app ?? 'everything'} was lifted in the meantime.` : null;
}
