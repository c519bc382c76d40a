import { useEffect, useRef } from 'react';
import { places } from './places.ts';

interface Keys {
  onGo: (path: string) => void;
  onSearch: () => void;
  onHelp: () => void;
}

/** Timeout for the second key after `g`. */
const SECOND_KEY_MS = 1_500;

/**
 * Shortcuts: `g n`, `g t` … for views, `/` for search, `?` for help. Inactive while typing, in dialogs, and
 * unless `isOn`.
 */
export function useKeys(isOn: boolean, keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // In a dialog nothing may have focus after the focused element disappears.
      if (document.querySelector('dialog[open]')) return;
      if (target instanceof Element && target.closest('input, textarea, select')) return;
      const place = event.timeStamp < goUntil ? places.find((each) => each.key === key) : undefined;
      goUntil = key === 'g' ? event.timeStamp + SECOND_KEY_MS : 0;
      if (place) current.current.onGo(place.path);
      else if (key === '/') current.current.onSearch();
      else if (key === '?') current.current.onHelp();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
    };
  }, [isOn]);
}
