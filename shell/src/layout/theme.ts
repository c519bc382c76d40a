export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();
/** A choice that the browser did not store. It lasts as long as the document. */
let unstored: Theme | null = null;

export function readTheme(): Theme {
  if (unstored) return unstored;
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
    unstored = null;
  } catch {
    unstored = theme;
  }
  show(theme);
  listeners.forEach((listener) => {
    listener();
  });
}

export function subscribeToTheme(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // `key` is null after a `clear()` of the storage.
    if (key !== storageKey && key !== null) return;
    unstored = null;
    show(readTheme());
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function show(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  document.querySelectorAll('meta[name="theme-color"]').forEach((meta, index) => {
    const scheme = index === 0 ? 'light' : 'dark';
    const chosen = theme === scheme ? 'all' : 'not all';
    meta.setAttribute('media', theme === 'system' ? `(prefers-color-scheme: ${scheme})` : chosen);
  });
}
