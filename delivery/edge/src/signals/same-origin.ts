/**
 * Whether a request comes from a page of the site itself. Browsers say so, of their own accord: another site cannot make the
 * browsers of its visitors send reports. Other programs can send anything: tokens and limits hold those off.
 *
 * @param origin of the site, as its release declares it; null before the first one.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(headers: Record<string, unknown>, origin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const from = headers['origin'];
  if (typeof from !== 'string' || !URL.canParse(from)) return false;
  // A proxy in front may leave out the port.
  return from === origin || new URL(from).hostname === hostnameOf(headers['host'] ?? headers[':authority']);
}

function hostnameOf(host: unknown): string | null {
  const url = `http://${String(host)}`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}
