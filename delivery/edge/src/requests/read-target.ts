/** The address that a request asks for, read once. */
export interface RequestTarget {
  /** As it came, without the query. */
  path: string;
  /** From its `?` on; empty without one. */
  query: string;
  /** The path without its percent signs. Null when it is not written correctly. */
  decoded: string | null;
  /** Whether it is written as the site's own links are: `/%68ome` is another spelling of `/home`, and so is `/home#there`. */
  isExact: boolean;
}

/** The request line holds a path, or a whole URL (RFC 9112, 3.2.2); `//host/…` is a path, not a host. */
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
