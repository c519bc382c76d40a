/** Whether a text is a whole address of the web: `http:` or `https:`, with a host. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
