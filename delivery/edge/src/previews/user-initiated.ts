/** The parts of a request that identify its initiator. */
export interface RequestHead {
  headers: Record<string, unknown>;
}

/**
 * Whether a user submitted this form from the site itself, in a top-level tab. The evidence is in fetch metadata
 * headers, which scripts cannot set. Browsers before 2023 do not send them, and none sends them to http:// origins
 * other than localhost.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isUserInitiated({ headers }: RequestHead): boolean {
  return (
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-fetch-user'] === '?1'
  );
}
