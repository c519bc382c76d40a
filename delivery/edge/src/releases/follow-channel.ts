import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelState, LogPosition } from '@site/contract';
import { backoff } from '@site/contract/http';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import { RegistryError, type EdgeClient, type ChannelUpdate } from './registry-client.ts';

export interface FollowOptions {
  registry: EdgeClient;
  channel: string;
  pollMs: number;
  onState(state: ChannelState): void;
  isServing(): boolean;
  position(): LogPosition | null;
  knownDigest(release: string): string | undefined;
  onUnreachable?(): void;
  onRejected?(): void;
  log: EdgeLog;
  signal: AbortSignal;
}

export interface Follower {
  ask(signal: AbortSignal): Promise<ChannelState>;
  ended: Promise<unknown>;
}

const FIRST_RETRY_MS = 250;
const NOT_ALLOWED = [401, 403];

class Behind extends RegistryError {
  override name = 'Behind';
}

/**
 * Follows a channel until the signal aborts: by events, which arrive immediately, and by polling, which needs no open
 * connection. Both keep retrying while the registry is down.
 * Events and poll responses can overtake each other, and an edge must not go back: older states are ignored. If no
 * other state arrived since the request, or since a new connection, an older state means that the registry's database
 * lost entries: the edge keeps its releases until a registry declares the loss by a new epoch. Registries of 1.0.0 send
 * no epoch; their states are then applied.
 */
export function followChannel(options: FollowOptions): Follower {
  const { registry, channel, pollMs, onState, isServing, log, signal } = options;
  let taken = 0;
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
      const cause =
        error instanceof Behind
          ? 'the registry is behind this edge'
          : refuses
            ? 'the registry refuses what this edge asks'
            : 'the registry does not answer';
      const servedState = isServing()
        ? 'still serving the last known release'
        : 'there is no release to serve yet';
      log.warn({ channel, problem: errorMessage(error) }, `${cause}; ${servedState}`);
    }
    isUnreachable = true;
    if (error instanceof RegistryError && NOT_ALLOWED.includes(error.status)) options.onRejected?.();
    else options.onUnreachable?.();
  };
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  /** @param takenBefore the number of states applied before it was requested. @throws Behind */
  function consider({ state, revision: number }: ChannelUpdate, takenBefore: number): void {
    const isFresh = taken === takenBefore;
    const known = options.position();
    const reason = refusal(state, known, options.knownDigest);
    if (reason !== null && isFresh) throw new Behind(reason);
    const isNext = revision === null || number >= revision || (state.log?.epoch ?? 0) > (known?.epoch ?? 0);
    if (reason !== null || !(isFresh || isNext)) return;
    taken += 1;
    revision = number;
    onState(state);
  }

  async function listen(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      // All known states precede this connection.
      const before = taken;
      try {
        for await (const update of registry.channelEvents(channel, signal)) {
          failures = 0;
          consider(update, before);
          reached();
        }
      } catch (error) {
        missed(error);
      }
      failures += 1;
      await pause(backoff(failures, FIRST_RETRY_MS, pollMs) * (0.5 + Math.random()));
    }
  }

  async function ask(within: AbortSignal): Promise<ChannelState> {
    const before = taken;
    const update = await registry.channelState(channel, within);
    consider(update, before);
    reached();
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

function refusal(
  { live, canaries, log, held, digests }: ChannelState,
  known: LogPosition | null,
  knownDigest: FollowOptions['knownDigest'],
): string | null {
  if (!log || !known) return null;
  if (held !== undefined) return held;
  const at = (one: LogPosition) => `entry ${one.sequence} of epoch ${one.epoch}`;
  const isBack = log.epoch < known.epoch || (log.epoch === known.epoch && log.sequence < known.sequence);
  if (isBack) return `Its log ends with ${at(log)}, but this edge follows ${at(known)}.`;
  if (log.epoch > known.epoch) return null;
  if (log.sequence === known.sequence && log.hash !== known.hash)
    return `Its ${at(log)} is another one than this edge follows.`;
  const other = [live, ...canaries.map(({ release }) => release)].find((release) => {
    const digest = release == null ? undefined : digests?.[release];
    const served = release == null ? undefined : knownDigest(release);
    return digest !== undefined && served !== undefined && digest !== served;
  });
  return other == null ? null : `Its release ${other} is another one than this edge serves.`;
}
