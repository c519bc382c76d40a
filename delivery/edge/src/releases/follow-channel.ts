import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelState } from '@site/contract';
import { backoff } from '@site/contract/backoff';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import { RegistryError, type EdgeClient, type HeardState } from './registry-client.ts';

export interface FollowOptions {
  registry: EdgeClient;
  channel: string;
  /** How often the state is asked for, in case an event was lost. */
  pollMs: number;
  /** Called with every state that the registry tells, also when it did not change. */
  onState(state: ChannelState): void;
  /** Whether a release is served meanwhile. */
  isServing(): boolean;
  /** Called whenever the registry could not be reached. */
  onAway?(): void;
  log: EdgeLog;
  signal: AbortSignal;
}

export interface Follower {
  /** Asks where the channel points now, as a poll does. @throws RegistryError when the registry is away. */
  ask(signal: AbortSignal): Promise<ChannelState>;
  /** Resolves when the signal has ended it; never rejects. */
  ended: Promise<unknown>;
}

const FIRST_RETRY_MS = 250;

/**
 * Follows a channel until the signal: by the registry's events, which come at once, and by polling, which needs no
 * connection to stay open. While the registry is away both keep trying.
 *
 * What comes by two ways can overtake each other, and an edge must not go back. The registry numbers what it tells, but a
 * number alone could lie: a registry that was restored from a backup counts from an earlier one. So an answer counts
 * whatever its number when nothing else came since it was asked for, and so does the first thing a new connection tells.
 */
export function followChannel(options: FollowOptions): Follower {
  const { registry, channel, pollMs, onState, isServing, log, signal } = options;
  /** How many states were passed on. */
  let taken = 0;
  /** Of the one passed on last; null where it may have any number. */
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
      const said = refuses ? 'the registry refuses what this edge asks' : 'the registry does not answer';
      const meanwhile = isServing()
        ? 'still serving the last known release'
        : 'there is no release to serve yet';
      log.warn({ channel, problem: messageOf(error) }, `${said}; ${meanwhile}`);
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

  /** Null when that cannot be told. */
  function isOlder(told: HeardState): boolean | null {
    return told.revision === null || revision === null ? null : told.revision < revision;
  }

  async function listen(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      // Everything known by now was told before this connection was asked for.
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
      // Jitter, so that the edges do not all come back at the same moment.
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
