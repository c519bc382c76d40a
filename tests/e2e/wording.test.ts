import { sharedSite } from './harness/shared-site.ts';
import { readHeading, sitePages, plainText } from './harness/site-pages.ts';
import { untilBoth } from './harness/until-both.ts';

const load = async (path: string) => (await fetch(sharedSite().url + path)).text();

/** Every page, and /home with both headlines, which have different buttons. */
async function documents(): Promise<string[]> {
  const all = await Promise.all(sitePages.map(({ path }) => load(path)));
  await untilBoth(async () => {
    const home = await load('/home');
    all.push(home);
    return readHeading(home);
  });
  return all;
}

const labelsIn = (html: string) =>
  [...html.matchAll(/<(a|button)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , inner = '']) =>
    plainText(inner.replaceAll(/<svg\b.*?<\/svg>/gs, '')).replaceAll(/\s+/g, ' '),
  );

test('a link or button has the same wording everywhere, and matches the specification', async () => {
  const spellings = new Map<string, Set<string>>();
  for (const label of (await documents()).flatMap(labelsIn)) {
    // The menu is in capitals, and a link within a sentence starts with a lowercase letter.
    if (label === label.toUpperCase()) continue;
    const known = spellings.get(label.toLowerCase()) ?? new Set();
    spellings.set(label.toLowerCase(), known.add(label.charAt(0).toLowerCase() + label.slice(1)));
  }
  expect(spellings.size).toBeGreaterThan(50);
  expect([...spellings.values()].filter(({ size }) => size > 1).map((known) => [...known])).toEqual([]);
  expect([...spellings.values()].flatMap((known) => [...known])).toEqual(
    expect.arrayContaining([
      ...['open a Free Account', 'start Building Free', 'view Documentation', 'start Using This Block'],
      ...['platform Status', 'support Center'],
    ]),
  );
});
