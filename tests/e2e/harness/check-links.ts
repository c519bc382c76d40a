import { sitePages } from './site-pages.ts';

/** The results of checking the links of all pages. */
export interface CheckedLinks {
  /** Within the site: `<page> → <target>`, if the target is not a page or lacks the anchor. */
  dead: string[];
  /** Placeholder addresses: empty, `#`, or under `.example`. */
  placeholders: string[];
  /** The number of followed links within the site. */
  followed: number;
}

/** Follows every link of every page within the site, and checks the addresses of all others. */
export async function checkLinks(url: string): Promise<CheckedLinks> {
  const documents = new Map<string, Promise<{ status: number; html: string; address: string }>>();
  const load = (path: string) => {
    const known = documents.get(path);
    if (known) return known;
    const loading = fetch(url + path).then(async (response) => ({
      status: response.status,
      html: await response.text(),
      address: response.url,
    }));
    documents.set(path, loading);
    return loading;
  };

  const checked: CheckedLinks = { dead: [], placeholders: [], followed: 0 };
  for (const { path } of sitePages) {
    const { html } = await load(path);
    for (const target of findAttributes(
      html,
      /<(?:a|area|link|form|img|meta)\b[^>]*? (?:href|action|src|content)="([^"]*)"/g,
    )) {
      if (/^(?:#|\s*|javascript:.*)$|\.example\b/i.test(target))
        checked.placeholders.push(`${path} → ${target}`);
    }
    for (const target of findAttributes(html, /<a\b[^>]* href="([^"]+)"/g)) {
      const { origin, pathname, search, hash } = new URL(target, url + path);
      if (origin !== url) continue;
      const { status, html: found, address } = await load(pathname + search);
      const id = decodeURIComponent(hash.slice(1) || new URL(address).hash.slice(1));
      checked.followed += 1;
      // An unknown path redirects to home instead of failing, so only a link to home may end there.
      const strayed = new URL(address).pathname === '/home' && !/^\/(home\/?)?$/.test(pathname);
      if (status !== 200 || strayed || (id && !found.includes(` id="${id}"`)))
        checked.dead.push(`${path} → ${target}`);
    }
  }
  return checked;
}

function findAttributes(html: string, pattern: RegExp): Set<string> {
  return new Set([...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&')));
}
