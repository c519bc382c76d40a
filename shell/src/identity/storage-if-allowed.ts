/** Null if the visitor denies storage, because then reading the property throws. */
export function storageIfAllowed(name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
