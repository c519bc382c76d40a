import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelState } from '@site/contract';
import { backoff } from '@site/contract/http';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import { RegistryError, type EdgeClient, type HeardState } from './registry-client.ts';

export interface FollowOptions {
  registry: EdgeClient;
  channel: string;
  /** How often the state is polled, in case an event was lost. */
  pollMs: number;
  /** Called with every state received, even if it did not change. */
  onState(state: ChannelState): void;
  /** Whether a release is being served, for messages. */
  isServing(): boolean;
  /** Called whenever the registry is unreachable. */
  onAway?(): void;
  log: EdgeLog;
  signal: AbortSignal;
}

export interface Follower {
  /** Requests the channel's state, as a poll does. @throws RegistryError if the registry is unreachable. */
  ask(signal: AbortSignal): Promise<ChannelState>;
  /** Resolves when the signal has ended it; never rejects. */
  ended: Promise<unknown>;
}

const FIRST_RETRY_MS = 250;

/**
 * Follows a channel until the signal aborts: by events, which arrive immediately, and by polling, which needs no open
 * connection. Both keep retrying while the registry is down.
 * Events and poll responses can overtake each other, and an edge must not go back. States have a revision, but a
 * registry restored from a backup counts from a lower one. So a poll response is applied regardless of its revision if
 * no other state arrived since the request, and so is the first event of a new connection.
 */
export function followChannel(options: FollowOptions): Follower {
  const { registry, channel, pollMs, onState, isServing, log, signal } = options;
  /** Number of states applied. */
  let taken = 0;
  /** Revision of the last state applied; null accepts any next revision. */
  let revision: number | null = null;
  let isAway = false;

  const reached = () => {
    if (isAway) log.info({ channel }, 'the registry is back');
    isAway = false;
  };
  const missed = (error: unknown) => {
    if (signal.aborted) return;
    if (!isAway) {
      const refuses = error instanceof RegistryError && error.status > 0;
      const cause = refuses ? 'the registry refuses what this edge asks' : 'the registry does not answer';
      const servedState = isServing()
        ? 'still serving the last known release'
        : 'there is no release to serve yet';
      log.warn({ channel, problem: messageOf(error) }, `${cause}; ${servedState}`);
    }
    isAway = true;
    options.onAway?.();
  };
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  function take(told: HeardState): void {
    taken += 1;
    revision = told.revision;
    onState(told.state);
  }

  /** Null if unknown. */
  function isOlder(told: HeardState): boolean | null {
    return told.revision === null || revision === null ? null : told.revision < revision;
  }

  async function listen(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      // All known states precede this connection.
      revision = null;
      try {
        for await (const told of registry.channelEvents(channel, signal)) {
          failures = 0;
          reached();
          if (isOlder(told) !== true) take(told);
        }
      } catch (error) {
        missed(error);
      }
      failures += 1;
      // Jitter, so that the edges do not all reconnect simultaneously.
      await pause(backoff(failures, FIRST_RETRY_MS, pollMs) * (0.5 + Math.random()));
    }
  }

  async function ask(within: AbortSignal): Promise<ChannelState> {
    const before = taken;
    const told = await registry.channelState(channel, within);
    reached();
    if (taken === before || isOlder(told) === false) take(told);
    return told.state;
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await ask(signal).catch(missed);
      await pause(pollMs);
    }
  }

  return { ask, ended: Promise.all([listen(), poll()]) };
}
