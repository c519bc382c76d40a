/** `system` follows the operating system; the others are remembered until they are changed. */
export type Theme = 'system' | 'light' | 'dark';

/** Also read by `static/theme.js`, before the first paint. */
const storageKey = 'theme';
const listeners = new Set<() => void>();
/** A choice that the browser did not store: it lasts as long as the document. */
let unstored: Theme | null = null;

/** The visitor's choice. `system` when there is none. */
export function readTheme(): Theme {
  if (unstored) return unstored;
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Remembers the choice and shows it, here and in every other open tab. */
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

/** Calls `listener` when the choice changes, in this tab or another. */
export function subscribeToTheme(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // `key` is null when the whole storage was cleared.
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
  // The browser's own frame around the page. The document holds its color for each scheme, the light one first.
  document.querySelectorAll('meta[name="theme-color"]').forEach((meta, index) => {
    const scheme = index === 0 ? 'light' : 'dark';
    const chosen = theme === scheme ? 'all' : 'not all';
    meta.setAttribute('media', theme === 'system' ? `(prefers-color-scheme: ${scheme})` : chosen);
  });
}
