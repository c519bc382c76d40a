export interface RequestTarget {
  path: string;
  query: string;
  /** Null if malformed. */
  decoded: string | null;
  /** In the canonical form of the site's links: `/%68ome` and `/home#there` are other spellings of `/home`. */
  isExact: boolean;
}

/** The request line holds a path or a complete URL (RFC 9112, 3.2.2); `//host/…` is a path, not a host. */
export function readTarget(target = '/'): RequestTarget {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const at = local.indexOf('?');
  const path = (at === -1 ? local : local.slice(0, at)) || '/';
  const decoded = decodePath(path);
  const isExact = path === decoded && !target.includes('#');
  return { path, query: at === -1 ? '' : local.slice(at), decoded, isExact };
}

function decodePath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
