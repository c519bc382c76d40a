import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelState } from '@site/contract';
import { backoff } from '@site/contract/http';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import { RegistryError, type EdgeClient, type ChannelUpdate } from './registry-client.ts';

export interface FollowOptions {
  registry: EdgeClient;
  channel: string;
  /** How often the state is polled, in case an event was lost. */
  pollMs: number;
  onState(state: ChannelState): void;
  isServing(): boolean;
  onUnreachable?(): void;
  log: EdgeLog;
  signal: AbortSignal;
}

export interface Follower {
  /** Polls once. @throws RegistryError if the registry is unreachable. */
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
  let taken = 0;
  /** Of the last state applied; null accepts any next revision. */
  let revision: number | null = null;
  let isUnreachable = false;

  const reached = () => {
    if (isUnreachable) log.info({ channel }, 'the registry is back');
    isUnreachable = false;
  };
  const missed = (error: unknown) => {
    if (signal.aborted) return;
    if (!isUnreachable) {
      const refuses = error instanceof RegistryError && error.status > 0;
      const cause = refuses ? 'the registry refuses what this edge asks' : 'the registry does not answer';
      const servedState = isServing()
        ? 'still serving the last known release'
        : 'there is no release to serve yet';
      log.warn({ channel, problem: messageOf(error) }, `${cause}; ${servedState}`);
    }
    isUnreachable = true;
    options.onUnreachable?.();
  };
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  function take(update: ChannelUpdate): void {
    taken += 1;
    revision = update.revision;
    onState(update.state);
  }

  /** Null if unknown. */
  function isOlder(update: ChannelUpdate): boolean | null {
    return revision === null ? null : update.revision < revision;
  }

  async function listen(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      // All known states precede this connection.
      revision = null;
      try {
        for await (const update of registry.channelEvents(channel, signal)) {
          failures = 0;
          reached();
          if (isOlder(update) !== true) take(update);
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
    const update = await registry.channelState(channel, within);
    reached();
    if (taken === before || isOlder(update) === false) take(update);
    return update.state;
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await ask(signal).catch(missed);
      await pause(pollMs);
    }
  }

  return { ask, ended: Promise.all([listen(), poll()]) };
}
