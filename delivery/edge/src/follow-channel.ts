import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelState } from '@site/contract';
import { messageOf, type EdgeLog } from './log.ts';
import type { RegistryClient } from './registry-client.ts';

export interface FollowOptions {
  registry: RegistryClient;
  channel: string;
  /** How often the state is asked for, in case an event was lost. */
  pollMs: number;
  /** Called with every state that the registry tells, also when it did not change. */
  onState(state: ChannelState): void;
  /** Called whenever the registry could not be reached. */
  onAway?(): void;
  log: EdgeLog;
  signal: AbortSignal;
}

const firstRetryMs = 250;

/**
 * Follows a channel until the signal: by the registry's events, which come at once, and by polling, which needs no
 * connection to stay open. Never rejects; while the registry is away both keep trying.
 */
export async function followChannel(options: FollowOptions): Promise<void> {
  const { registry, channel, pollMs, onState, log, signal } = options;
  /** Grows with each event: an answer to a poll that was asked before an event may be older than the event. */
  let events = 0;
  let isAway = false;

  const reached = () => {
    if (isAway) log.info({ channel }, 'the registry is back');
    isAway = false;
  };
  const missed = (error: unknown) => {
    if (signal.aborted) return;
    if (!isAway)
      log.warn({ channel, problem: messageOf(error) }, 'the registry is away; serving what is known');
    isAway = true;
    options.onAway?.();
  };
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  async function listen(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const state of registry.channelEvents(channel, signal)) {
          events += 1;
          failures = 0;
          reached();
          onState(state);
        }
      } catch (error) {
        missed(error);
      }
      // Jitter, so that the edges do not all come back at the same moment.
      await pause(Math.min(firstRetryMs * 2 ** failures, pollMs) * (0.5 + Math.random()));
      failures += 1;
    }
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      const before = events;
      try {
        const state = await registry.channelState(channel, signal);
        reached();
        if (events === before) onState(state);
      } catch (error) {
        missed(error);
      }
      await pause(pollMs);
    }
  }

  await Promise.all([listen(), poll()]);
}
