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
  // An older browser, or a page without TLS, says no more than the origin. What the edge is asked by says less: a proxy in front
  // may speak another scheme to it, and leave out the port.
  return origin !== null && headers['origin'] === origin;
}
