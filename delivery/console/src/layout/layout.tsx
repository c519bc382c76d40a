import type { ChannelName } from '@site/contract';
import { Button } from '@site/ui/button';
import { Notice, LiveRegion } from '@site/ui/notice';
import { ToggleGroup } from '@site/ui/toggle-group';
import { useState, type ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { isUnanswered, errorMessage } from '../data/call-error.ts';
import { signOut } from '../data/session.ts';
import { useConsole, useFreshness } from '../data/use-console.ts';
import { Help } from './help.tsx';
import styles from './layout.module.css';
import { places } from './places.ts';
import { Search } from './search.tsx';
import { useShortcutsSetting, useKeys } from './shortcuts.ts';
import { ToView, useAddress } from './to-view.tsx';
import { timeText } from '@site/contract/text';

const channels = [
  { value: 'production', label: 'Production' },
  { value: 'staging', label: 'Staging' },
] as const;

interface LayoutProps {
  shown: ChannelName | null;
  onSignedOut: () => void;
  children: ReactNode;
}

export function Layout({ shown, onSignedOut, children }: LayoutProps) {
  const { session } = useConsole();
  const [, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<'search' | 'help' | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const navigate = useNavigate();
  const address = useAddress();
  const [hasShortcuts, setShortcuts] = useShortcutsSetting();
  useKeys(hasShortcuts, {
    onGo: (path) => void navigate(address(path)),
    onSearch: () => setOpened('search'),
    onHelp: () => setOpened('help'),
  });

  async function leave(): Promise<void> {
    try {
      await signOut();
      onSignedOut();
    } catch (error) {
      setProblem(error);
    }
  }

  return (
    <>
      <a className={`visually-hidden ${styles.skip}`} href="#main">
        Skip to the view
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <ToggleGroup<ChannelName | ''>
            label="Channel"
            className={styles.channels}
            value={shown ?? ''}
            options={channels}
            onChange={(chosen) =>
              setSearch((before) => {
                before.delete('channel');
                if (chosen !== 'production') before.set('channel', chosen);
                return before;
              })
            }
          />
          <Fresh />
          <div className={styles.person}>
            <Button
              size="small"
              onClick={() => setOpened('search')}
              aria-keyshortcuts={hasShortcuts ? '/' : undefined}
            >
              Search
            </Button>
            <Button
              size="small"
              onClick={() => setOpened('help')}
              aria-label="Help"
              aria-keyshortcuts={hasShortcuts ? '?' : undefined}
            >
              ?
            </Button>
            <span className={styles.name}>
              <span className="visually-hidden">Signed in as </span>
              {session.name}
            </span>
            <Button size="small" onClick={() => void leave()}>
              Sign out
            </Button>
          </div>
        </div>
        <nav className={styles.places} aria-label="Views">
          <ul>
            {places.map(({ name, path }) => (
              <li key={path}>
                <ToView path={path} isPlace>
                  {name}
                </ToView>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {problem !== null && (
          <Notice
            tone="error"
            title={
              isUnanswered(problem)
                ? 'It is unknown whether you are signed out. Sign out again.'
                : 'You are still signed in.'
            }
          >
            <p>{errorMessage(problem)}</p>
          </Notice>
        )}
        {children}
      </main>
      {opened === 'search' && <Search onClose={() => setOpened(null)} />}
      {opened === 'help' && (
        <Help hasShortcuts={hasShortcuts} onShortcuts={setShortcuts} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Fresh() {
  const freshness = useFreshness();
  return (
    <LiveRegion className={freshness.mode === 'lost' ? styles.lost : styles.fresh}>
      {freshness.mode === 'live'
        ? 'Live'
        : freshness.mode === 'polling'
          ? 'Checking every 5 s'
          : `No response since ${timeText(new Date(freshness.since))}. This data may be stale.`}
    </LiveRegion>
  );
}
