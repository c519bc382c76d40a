/**
 * Whether a request comes from a page of the site itself, by headers that pages cannot forge: another site cannot make
 * its visitors' browsers send reports. Other programs can send anything, and are limited by tokens and quotas.
 * @param origin of the site, as declared by its release; null before the first one.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(headers: Record<string, unknown>, origin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Older browsers and pages without TLS send only the origin. The request URL is less reliable: a proxy in front may
  // use another scheme, and omit the port.
  return origin !== null && headers['origin'] === origin;
}
