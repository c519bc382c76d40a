import { LiveRegion } from '@site/ui/notice';
import { TextField } from '@site/ui/text-field';
import { useDeferredValue, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { Answered } from '../parts/answered.tsx';
import { Modal } from '../parts/modal.tsx';
import { useTyped } from '../parts/use-input.ts';
import styles from './search.module.css';
import { ToView } from './to-view.tsx';

export function Search({ onClose }: { onClose: () => void }) {
  const [text, textProps] = useTyped();
  const wanted = useDeferredValue(text.trim());
  const { key } = useLocation();
  const opened = useRef(key);
  const field = useRef<HTMLInputElement>(null);
  // The close button comes first, so focus the field explicitly.
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (opened.current !== key) onClose();
  }, [key, onClose]);
  return (
    <Modal title="Search" onClose={onClose}>
      <TextField
        ref={field}
        label="Apps, versions, releases, people"
        type="search"
        autoComplete="off"
        maxLength={100}
        {...textProps}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // By default a browser would clear the field first and close only on the second press.
          event.preventDefault();
          onClose();
        }}
      />
      {wanted !== '' && <Found text={wanted} />}
    </Modal>
  );
}

function Found({ text }: { text: string }) {
  const { channel } = useConsole();
  const read = useRead('search', { query: { text, channel } });
  return (
    <LiveRegion>
      <Answered read={read} of="Search results">
        {(found) => <Results found={found} />}
      </Answered>
    </LiveRegion>
  );
}

interface FoundLink {
  to: string;
  query?: Record<string, string>;
  what: string;
  name: string;
}

function Results({ found: { apps, versions, releases, people } }: { found: AnswerTo<'search'> }) {
  const links: FoundLink[] = [
    ...apps.map(({ app }) => ({ to: `/apps/${app}`, what: 'App', name: app })),
    ...versions.map(({ app, version, publishedBy }) => ({
      to: `/apps/${app}`,
      query: { version },
      what: 'Version',
      name: `${app}@${version}, published by ${publishedBy}`,
    })),
    ...releases.map(({ id, by, reason }) => ({
      to: '/timeline',
      query: { release: id },
      what: 'Release',
      name: `${id} by ${by}: ${reason}`,
    })),
    ...people.map(({ name }) => ({ to: '/audit', query: { by: name }, what: 'Person', name })),
  ];
  if (links.length === 0) return <p>No matches.</p>;
  return (
    <ul className={styles.found}>
      {links.map(({ to, query, what, name }) => (
        <li key={`${what} ${name}`}>
          <span className="label">{what}</span>
          <ToView path={to} {...(query ? { query } : {})}>
            {name}
          </ToView>
        </li>
      ))}
    </ul>
  );
}
