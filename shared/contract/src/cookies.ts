/**
 * The values of all cookies with this name, in the browser's order. Other programs on the same host or a parent domain
 * may use our names, so callers take the first valid value.
 */
export function cookieValues(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}
