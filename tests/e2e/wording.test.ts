import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';

/** What is found on each page: the text of its body, in one line, and the labels of its links and buttons. */
async function readPages() {
  return Promise.all(
    sitePages.map(async ({ path }) => {
      const html = await (await fetch(sharedSite().url + path)).text();
      const body = html.slice(html.indexOf('<body')).replaceAll(/<(script|style)\b.*?<\/\1>/gs, ' ');
      const labels = [...body.matchAll(/<(a|button)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , inner]) =>
        plain(inner!),
      );
      return { path, text: plain(body), labels };
    }),
  );
}

function plain(markup: string): string {
  return markup
    .replaceAll(/<!--.*?-->|<svg\b.*?<\/svg>|<[^>]+>/gs, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

test('a link or a button is written in one way, wherever it stands', async () => {
  const spellings = new Map<string, Set<string>>();
  for (const { labels } of await readPages()) {
    for (const label of labels) {
      // The menu is in capitals, and within a sentence a link begins with a small letter.
      if (label === label.toUpperCase()) continue;
      const known = spellings.get(label.toLowerCase()) ?? new Set();
      spellings.set(label.toLowerCase(), known.add(label.charAt(0).toLowerCase() + label.slice(1)));
    }
  }
  expect(spellings.size).toBeGreaterThan(50);
  expect([...spellings.values()].filter(({ size }) => size > 1).map((known) => [...known])).toEqual([]);
});

test('one thing has one name on all pages', async () => {
  const others = /.{0,20}\b(?:e-mail|log-in|sign-in|signin|bag (?:of|with)|in the bag)\b.{0,20}/gi;
  const found = (await readPages()).flatMap(({ path, text }) =>
    [...text.matchAll(others)].map(([words]) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});
