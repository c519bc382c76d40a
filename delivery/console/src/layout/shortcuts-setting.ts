import { useState } from 'react';

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
