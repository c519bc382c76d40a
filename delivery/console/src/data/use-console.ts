import type { ChannelName } from '@site/contract';
import type { Session } from '@site/contract/registry-calls/session.calls';
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import type { AnswerTo, Ask, CallName, Sent } from './client.ts';
import type { Following, Freshness } from './follow.ts';
import type { Read, Reads } from './reads.ts';

export interface ConsoleServices {
  session: Session;
  ask: Ask;
  reads: Reads;
  following: Following;
  channel: ChannelName;
}

export const ConsoleContext = createContext<ConsoleServices | null>(null);

export function useConsole(): ConsoleServices {
  const services = useContext(ConsoleContext);
  if (!services) throw new Error('No ConsoleContext above this component.');
  return services;
}

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

export function useFreshness(): Freshness {
  const { following } = useConsole();
  return useSyncExternalStore(following.subscribe, following.get);
}
