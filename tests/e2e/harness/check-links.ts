import { sitePages } from './site-pages.ts';

/** What the links of all pages lead to. */
export interface CheckedLinks {
  /** Within the site: `<page> → <target>`, where the target is not a page, or has no such place. */
  dead: string[];
  /** Addresses that nobody has filled in: empty, `#`, or under `.example`. */
  placeholders: string[];
  /** How many links within the site were followed. */
  followed: number;
}

/** Follows every link of every page that stays on the site, and looks at all others. */
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
    for (const target of attributesOf(
      html,
      /<(?:a|area|link|form|img|meta)\b[^>]*? (?:href|action|src|content)="([^"]*)"/g,
    )) {
      if (/^(?:#|\s*|javascript:.*)$|\.example\b/i.test(target))
        checked.placeholders.push(`${path} → ${target}`);
    }
    for (const target of attributesOf(html, /<a\b[^>]* href="([^"]+)"/g)) {
      const { origin, pathname, search, hash } = new URL(target, url + path);
      if (origin !== url) continue;
      const { status, html: found, address } = await load(pathname + search);
      const id = decodeURIComponent(hash.slice(1) || new URL(address).hash.slice(1));
      checked.followed += 1;
      // An unknown path leads home instead of failing: a link to home is one that says so.
      const strayed = new URL(address).pathname === '/home' && !/^\/(home\/?)?$/.test(pathname);
      if (status !== 200 || strayed || (id && !found.includes(` id="${id}"`)))
        checked.dead.push(`${path} → ${target}`);
    }
  }
  return checked;
}

function attributesOf(html: string, pattern: RegExp): Set<string> {
  return new Set([...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&')));
}
