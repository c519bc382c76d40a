import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';

/** The labels of the links and buttons of a page. */
async function labelsOf(path: string): Promise<string[]> {
  const html = await (await fetch(sharedSite().url + path)).text();
  return [...html.matchAll(/<(a|button)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , inner]) => plain(inner!));
}

function plain(markup: string): string {
  return markup
    .replaceAll(/<!--.*?-->|<svg\b.*?<\/svg>|<[^>]+>/gs, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

test('a link or a button is written in one way, wherever it stands', async () => {
  const spellings = new Map<string, Set<string>>();
  for (const { path } of sitePages) {
    for (const label of await labelsOf(path)) {
      // The menu is in capitals, and within a sentence a link begins with a small letter.
      if (label === label.toUpperCase()) continue;
      const known = spellings.get(label.toLowerCase()) ?? new Set();
      spellings.set(label.toLowerCase(), known.add(label.charAt(0).toLowerCase() + label.slice(1)));
    }
  }
  expect(spellings.size).toBeGreaterThan(50);
  expect([...spellings.values()].filter(({ size }) => size > 1).map((known) => [...known])).toEqual([]);
});
