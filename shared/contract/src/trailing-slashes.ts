/**
 * A path without the slashes that it ends with; nothing is left of `/`. In time that grows with the path: a regular expression would
 * begin again at each slash of a run, and anybody can ask for 16,000 of them.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** A URL or path that ends with a slash, so that what is resolved against it lies below it. */
export function withTrailingSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
