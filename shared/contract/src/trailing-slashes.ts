/**
 * Removes all trailing slashes; `/` becomes empty. In linear time: a regular expression would be quadratic,
 * and anyone can request a path with 16,000 slashes.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Adds a trailing slash, so that relative URLs resolve below it. */
export function withTrailingSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
