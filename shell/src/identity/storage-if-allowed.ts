/** Null where the visitor forbids storage: reading the property throws then. */
export function storageIfAllowed(name: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
