import type { ChannelName } from '@site/contract';
import type { Session } from '@site/contract/registry-calls/session.calls';
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import type { AnswerTo, Ask, CallName, Sent } from './client.ts';
import type { Following, Freshness } from './follow.ts';
import type { Read, Reads } from './reads.ts';

/** The services of every signed-in view. */
export interface ConsoleServices {
  session: Session;
  ask: Ask;
  reads: Reads;
  following: Following;
  channel: ChannelName;
}

export const ConsoleContext = createContext<ConsoleServices | null>(null);

/** @throws Error outside of `ConsoleContext`. */
export function useConsole(): ConsoleServices {
  const services = useContext(ConsoleContext);
  if (!services) throw new Error('No ConsoleContext above this component.');
  return services;
}

/** The response of a call, refreshed while it is shown. */
export function useRead<Name extends CallName>(name: Name, sent: Sent<Name>): Read<AnswerTo<Name>> {
  const { reads } = useConsole();
  const key = JSON.stringify(sent);
  // oxlint-disable-next-line react/exhaustive-deps -- `key` identifies the request
  const entry = useMemo(() => reads.entry(name, sent), [reads, name, key]);
  return useSyncExternalStore(
    useCallback((listener: () => void) => entry.subscribe(listener), [entry]),
    entry.get,
  );
}

/**
 * For a request that old registries reject: during an update of the registries the old form is used instead.
 */
export function useReadOrFormer<Name extends CallName>(
  name: Name,
  sent: Sent<Name>,
  former: Sent<Name>,
): Read<AnswerTo<Name>> {
  const read = useRead(name, sent);
  const isUnknown = read.error?.code === 'request_malformed';
  return useRead(name, isUnknown ? former : sent);
}

export function useFreshness(): Freshness {
  const { following } = useConsole();
  return useSyncExternalStore(following.subscribe, following.get);
}
