import { createContext, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { ConsoleContext, useConsole } from '../data/use-console.ts';
import type { ConsoleAction } from './action.ts';
import { ActionDialog } from './action-dialog.tsx';

const OpenContext = createContext<((action: ConsoleAction) => void) | null>(null);

export function useOpenAction(): (action: ConsoleAction) => void {
  const open = useContext(OpenContext);
  if (!open) throw new Error('No ActionStage above this component.');
  return open;
}

/**
 * Above the views, because a change often removes the button that opened the action, while the request, its retry and
 * progress must continue.
 */
export function ActionStage({ children }: { children: ReactNode }) {
  const services = useConsole();
  const [opened, setOpened] = useState<{ action: ConsoleAction; channel: typeof services.channel } | null>(
    null,
  );
  const ownChange = useRef<Promise<unknown>>(Promise.resolve());
  const { channel } = services;
  const open = useMemo(() => (action: ConsoleAction) => setOpened({ action, channel }), [channel]);
  // Keeps its channel when the browser navigates back.
  const openedOn = opened?.channel ?? channel;
  const ofOpened = useMemo(() => ({ ...services, channel: openedOn }), [services, openedOn]);
  return (
    <OpenContext value={open}>
      {children}
      {opened && (
        <ConsoleContext value={ofOpened}>
          <ActionDialog action={opened.action} ownChange={ownChange} onClose={() => setOpened(null)} />
        </ConsoleContext>
      )}
    </OpenContext>
  );
}
