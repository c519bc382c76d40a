import { randomUUID } from 'node:crypto';
import type { ChannelName } from '@site/contract';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import { createSums, type Sums } from './sums.ts';

export interface HandOverOptions {
  channel: ChannelName;
  tell(sums: EdgeSums): Promise<void>;
  /** Whether an error is permanent: the registry will never accept these sums. */
  isRefusal(error: unknown): boolean;
  onDropped(what: 'full' | 'refused'): void;
  now(): number;
  log: EdgeLog;
}

export interface HandOver {
  sumsAt(at: number): Sums;
  open(): Sums;
  /** Adds due outcomes and sends a batch, unless one is in flight. Never rejects. */
  tick(): Promise<void>;
  finish(): Promise<void>;
}

/** Outcomes of the same second are merged, so the memory is bounded by time, not by the number of reports. */
const SECOND_MS = 1_000;

/**
 * Sends sums to the registry, one batch at a time. A batch without a response is sent again with the same number, and
 * the registry counts it once. All other sums accumulate in the next batch, so there are at most two.
 */
export function createHandOver(options: HandOverOptions): HandOver {
  const { channel, tell, isRefusal, onDropped, now, log } = options;
  const boot = randomUUID();
  const due = new Map<number, Sums>();
  let open = createSums();
  let sequence = 0;
  let waiting: EdgeSums | null = null;
  let underWay: Promise<void> | null = null;
  let lost = '';

  function addDue(): void {
    for (const [at, sums] of due) {
      if (at > now()) continue;
      due.delete(at);
      if (!open.addAll(sums)) onDropped('full');
    }
  }

  function nextBatch(): EdgeSums | null {
    if (open.isEmpty()) return null;
    sequence += 1;
    const batch = { boot, sequence, at: new Date(now()).toISOString(), channel, ...open.totals() };
    open = createSums();
    return batch;
  }

  async function send(): Promise<void> {
    waiting ??= nextBatch();
    if (!waiting) return;
    try {
      await tell(waiting);
      waiting = null;
      lost = '';
    } catch (error) {
      const problem = errorMessage(error);
      if (problem !== lost) log.warn({ problem }, 'could not hand signals to the registry');
      lost = problem;
      if (!isRefusal(error)) return;
      waiting = null;
      onDropped('refused');
    }
  }

  async function tick(): Promise<void> {
    addDue();
    underWay ??= send().finally(() => (underWay = null));
    await underWay;
  }

  return {
    sumsAt(at) {
      const second = Math.ceil(at / SECOND_MS) * SECOND_MS;
      const sums = due.get(second) ?? createSums();
      due.set(second, sums);
      return sums;
    },
    open: () => open,
    tick,
    async finish() {
      // A batch may have been in flight when the rest was counted.
      await tick();
      await tick();
    },
  };
}
