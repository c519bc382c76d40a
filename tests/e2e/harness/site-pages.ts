/** Every page of the specification's route table (section 2) and the remote that owns it. */
export const sitePages = [
  { path: '/home', remote: 'mfe-marketing' },
  { path: '/blocks', remote: 'mfe-blocks' },
  { path: '/blocks/auth', remote: 'mfe-blocks' },
  { path: '/start', remote: 'mfe-marketing' },
  { path: '/support', remote: 'mfe-marketing' },
  { path: '/developers', remote: 'mfe-marketing' },
  { path: '/about-us', remote: 'mfe-marketing' },
  { path: '/cases', remote: 'mfe-marketing' },
  { path: '/partners', remote: 'mfe-partners' },
  { path: '/startups', remote: 'mfe-marketing' },
  { path: '/indie', remote: 'mfe-marketing' },
  { path: '/agencies', remote: 'mfe-marketing' },
  { path: '/policies/privacy', remote: 'mfe-policies' },
  { path: '/policies/terms-and-conditions', remote: 'mfe-policies' },
  { path: '/policies/terms-of-service', remote: 'mfe-policies' },
  { path: '/policies/support', remote: 'mfe-policies' },
  { path: '/policies/cookies', remote: 'mfe-policies' },
  { path: '/search', remote: 'mfe-policies' },
] as const;

/** The text of a document's only `<h1>`. @throws Error if there is none or more than one. */
export function headingOf(html: string): string {
  const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, inner = '']) => textOf(inner));
  const [heading] = headings;
  if (headings.length !== 1 || !heading)
    throw new Error(`Expected one <h1> with text, found: ${JSON.stringify(headings)}`);
  return heading;
}

/** The text of a document's own `<title>` (drawings have titles as well). */
export function titleOf(html: string): string {
  return textOf(/<head>.*?<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '');
}

/** The text of HTML, without markup. */
export function textOf(markup: string): string {
  return markup
    .replace(/<!--.*?-->|<[^>]+>/gs, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .trim();
}
