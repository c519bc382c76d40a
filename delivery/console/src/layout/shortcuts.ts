import { useEffect, useRef, useState } from 'react';
import { places } from './places.ts';

interface Keys {
  onGo: (path: string) => void;
  onSearch: () => void;
  onHelp: () => void;
}

const SECOND_KEY_MS = 1_500;

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

const STORAGE_KEY = 'console-shortcuts';

/**
 * Whether the single-key shortcuts are on, stored in this browser. Speech input types letters anywhere, so
 * they must be optional: https://www.w3.org/WAI/WCAG22/Understanding/character-key-shortcuts
 */
export function useShortcutsSetting(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(readSetting);
  const setOn = (wanted: boolean) => {
    setIsOn(wanted);
    try {
      localStorage.setItem(STORAGE_KEY, wanted ? 'on' : 'off');
    } catch {
      // Without storage the setting lasts until the page is closed.
    }
  };
  return [isOn, setOn];
}

function readSetting(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}
