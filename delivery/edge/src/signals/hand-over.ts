import { randomUUID } from 'node:crypto';
import type { ChannelName } from '@site/contract';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import { createSums, type Sums, type Taken } from './sums.ts';

export interface HandOverOptions {
  channel: ChannelName;
  /** Resolves when the registry has counted them, or had before. */
  tell(sums: EdgeSums): Promise<void>;
  /** Whether an error says that the registry will never take these sums. */
  isRefusal(error: unknown): boolean;
  onDropped(what: 'full' | 'refused'): void;
  /** Milliseconds since 1970. */
  now(): number;
  log: EdgeLog;
}

/** Sums on their way to the registry. */
export interface HandOver {
  /** To be added when the clock shows `at`. */
  sumsAt(at: number): Sums;
  /** To be handed over with the next batch. */
  open(): Sums;
  /** Adds what is due, and hands over what there is, if no batch is on its way. Never rejects. */
  tick(): Promise<void>;
  /** Hands over what can be counted now; what waits for its second is lost. Never rejects. */
  finish(): Promise<void>;
  /** Sets which fields the registry accepts in cells. */
  registryTakes(taken: Taken): void;
}

/** Outcomes of the same second wait together, so what waits is bounded by time and not by how many come. */
const SECOND_MS = 1_000;
const NOTHING_NEW: Taken = { senders: false, engines: false };

/**
 * Hands sums to the registry, one batch at a time. A batch that was not answered is sent again, with the same number: the
 * registry counts it once. Meanwhile all else adds up to the next one, so there are never more than two.
 */
export function createHandOver(options: HandOverOptions): HandOver {
  const { channel, tell, isRefusal, onDropped, now, log } = options;
  const boot = randomUUID();
  const due = new Map<number, Sums>();
  let open = createSums();
  let sequence = 0;
  let waiting: EdgeSums | null = null;
  /** The same batch without new fields, if it has any: during an upgrade, a registry that does not know them may get it. */
  let plain: EdgeSums | null = null;
  let underWay: Promise<void> | null = null;
  let lost = '';
  let taken = NOTHING_NEW;

  function addDue(): void {
    for (const [at, sums] of due) {
      if (at > now()) continue;
      due.delete(at);
      if (!open.addAll(sums)) onDropped('full');
    }
  }

  function nextBatch(): EdgeSums | null {
    if (open.isEmpty()) return null;
    const head = { boot, sequence: (sequence += 1), at: new Date(now()).toISOString(), channel };
    const batch = { ...head, ...open.told(taken) };
    plain = taken.senders || taken.engines ? { ...head, ...open.told(NOTHING_NEW) } : null;
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
      const problem = messageOf(error);
      if (problem !== lost) log.warn({ problem }, 'could not hand signals to the registry');
      lost = problem;
      if (!isRefusal(error)) return;
      waiting = plain;
      plain = null;
      if (waiting) return;
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
    registryTakes: (now) => void (taken = now),
    async finish() {
      // A batch may have been on its way when the rest was counted.
      await tick();
      await tick();
    },
  };
}
