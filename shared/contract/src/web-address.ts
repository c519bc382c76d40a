/** Whether a text is an absolute `http:` or `https:` URL. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
