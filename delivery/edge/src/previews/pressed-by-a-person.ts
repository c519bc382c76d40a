/** What of a request tells who sent it. */
export interface RequestHead {
  headers: Record<string, unknown>;
}

/**
 * Whether a person sent this form, from a page of the site itself, in a tab of its own. Only the browser can say so, and no
 * page can make it say so: by headers that scripts cannot set. Browsers before 2023 do not send them, and none does to an
 * address that begins with http:// unless it is this machine's own.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isPressedByAPerson({ headers }: RequestHead): boolean {
  return (
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-fetch-user'] === '?1'
  );
}
