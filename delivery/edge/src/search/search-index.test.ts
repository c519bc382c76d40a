import MiniSearch from 'minisearch';
import { searchLimits, type SearchSection } from '@site/contract';
import { createSearchIndex } from './search-index.ts';
import type { SearchablePage } from './searchable-pages.ts';

const section = (anchor: string | null, heading: string, text: string): SearchSection => ({
  anchor,
  heading,
  text,
});

function page(
  path: string,
  title: string,
  sections: SearchSection[],
  more: Partial<SearchablePage['listed']> = {},
) {
  const listed = {
    ...{
      path,
      builtAt: '2026-01-01T00:00:00.000Z',
      title: `${title} · Blocks`,
      description: null,
      siteName: 'Blocks',
    },
    ...{ isHidden: false, ...more },
  };
  return { app: 'mfe-a', listed, sections };
}

const pages = [
  page('/start', 'Start building', [
    section(null, '', 'The first month is free.'),
    section('pricing', 'Three plans, the same parts', 'Startups pay more than independent developers.'),
  ]),
  page('/blocks/auth', 'Auth Block', [
    section(null, '', 'Users register and log in.'),
    section('flows', 'Three flows', 'Registration, login and password recovery.'),
    section(null, 'Benefits', 'Nothing to operate.'),
  ]),
  page('/about', 'À propos', [section(null, '', 'Café, naïve <b>words</b>.')]),
  page('/plans', 'Figures', [section(null, '', 'From $49, or $59.99 (=½ of 120€+) a month, after sign-up.')]),
];

const find = async (query: string, of: SearchablePage[] = pages) => (await createSearchIndex(of)).find(query);
const hrefs = async (query: string, of?: SearchablePage[]) =>
  (await find(query, of)).results.map(({ href }) => href);

test('a title match ranks above a text match', async () => {
  const of = [page('/a', 'Other', [section(null, '', 'auth auth auth auth')]), ...pages];
  expect((await hrefs('auth', of)).slice(0, 2)).toEqual(['/blocks/auth', '/a']);
  expect((await find('auth')).results[0]).toMatchObject({ title: 'Auth Block', heading: '' });
});

test('a whole word in a text ranks above a longer word in a heading or title', async () => {
  const of = [
    page('/policies', 'Authorities', [
      section('authorities', 'Authorities and authors', 'Public authorities.'),
    ]),
    page('/a', 'Other', [
      section(null, '', 'Parts.'),
      section('b', 'Blocks', 'One of them is auth, among many others.'),
    ]),
  ];
  expect((await hrefs('auth', of))[0]).toBe('/a#b');
});

test('a section is found by its text, heading and anchor, and is linked', async () => {
  expect(await hrefs('password recovery')).toEqual(['/blocks/auth#flows']);
  expect((await hrefs('flows'))[0]).toBe('/blocks/auth#flows');
  expect((await hrefs('pricing'))[0]).toBe('/start#pricing');
});

test('a section without an anchor links to its page', async () => {
  expect((await find('operate')).results).toEqual([
    { href: '/blocks/auth', title: 'Auth Block', heading: 'Benefits', text: 'Nothing to operate.' },
  ]);
});

test.each([
  ['regist', '/blocks/auth'],
  ['pasword recvery', '/blocks/auth#flows'],
  ['pricng', '/start#pricing'],
  ['atuh', '/blocks/auth'],
  ['STARTUPS', '/start#pricing'],
  ['cafe', '/about'],
  ['a propos', '/about'],
  ['49', '/plans'],
  ['$49', '/plans'],
  ['59.99', '/plans'],
  ['120', '/plans'],
  ['½', '/plans'],
  ['signup', '/plans'],
  ['sign-up', '/plans'],
  ['how do I get my users the password recovery', '/blocks/auth#flows'],
  // The last word is only a prefix.
  ['zeppelin fl', '/blocks/auth#flows'],
])('understands %s', async (query, href) => {
  expect(await hrefs(query)).toContain(href);
});

test('soft hyphens in titles and descriptions are ignored in search and removed from results', async () => {
  const of = [
    page('/privacy', 'Daten\u00ADschutz\u00ADrecht', [], {
      description: 'Micro\u00ADservices, Inter\u200Boperability.',
    }),
  ];
  for (const query of ['Datenschutzrecht', 'datenschutzr', 'microserv', 'interoperability'])
    expect(await hrefs(query, of)).toEqual(['/privacy']);
  expect((await find('datenschutzrecht', of)).results[0]).toMatchObject({
    title: 'Datenschutzrecht',
    text: 'Microservices, Interoperability.',
  });
});

test('compound words match their two-word spelling, and nothing else does', async () => {
  expect(await hrefs('start ups')).toEqual(['/start#pricing']);
  expect(await hrefs('the start ups pay')).toEqual(['/start#pricing']);
});

test('all words must match; if no entry has all of them, any word may', async () => {
  expect(await hrefs('three recovery')).toEqual(['/blocks/auth#flows']);
  expect(await hrefs('recovery startups')).toEqual(
    expect.arrayContaining(['/blocks/auth#flows', '/start#pricing']),
  );
});

test('unknown words and noindex pages are not found', async () => {
  expect(await find('zeppelin')).toEqual({ query: 'zeppelin', results: [] });
  const hidden = page('/secret', 'Zeppelin', [section(null, '', 'zeppelin')], { isHidden: true });
  expect(await hrefs('zeppelin', [hidden])).toEqual([]);
});

test.each([
  ['two letters begin no word but the last', 'fl zeppelin'],
  ['a short word with two errors is another one', 'flxzs'],
  ['of more than five words the shortest are left out', 'qqqqqa qqqqqb qqqqqc qqqqqd qqqqqe flows'],
  ['signs are no words', '$ = +'],
])('a search is cheap: %s', async (_, query) => {
  expect(await hrefs(query)).toEqual([]);
});

test('indexing yields to other work after a fixed number of characters', async () => {
  const add = jest.spyOn(MiniSearch.prototype, 'add');
  const added: number[] = [];
  let ended = false;
  const watch = () => {
    added.push(add.mock.calls.length);
    if (!ended) setImmediate(watch);
  };
  setImmediate(watch);
  await createSearchIndex(
    Array.from({ length: 48 }, (__, at) => page(`/${at}`, 'A', [section(null, '', 'word '.repeat(800))])),
  );
  ended = true;
  add.mockRestore();
  // Three pages of 4,000 characters are more than 10,000.
  expect(added.slice(0, 15)).toEqual(Array.from({ length: 15 }, (__, turn) => 3 * (turn + 1)));
});

test('one page does not take all results, and no address appears twice', async () => {
  const many = page(
    '/many',
    'Many',
    Array.from({ length: 50 }, (_, at) => section(at % 2 ? `s${at}` : null, 'Word', 'word')),
  );
  const found = (await hrefs('word', [many, ...pages])).filter((href) => href.startsWith('/many'));
  expect(found).toHaveLength(3);
  expect(new Set(found).size).toBe(3);
});

test('results have an excerpt around the match', async () => {
  const text = `${'before '.repeat(40)}needle <i>&amp;${' after'.repeat(60)}`;
  const [result] = (await find('needle', [page('/a', 'A', [section(null, '', text)])])).results;
  expect(result?.text).toMatch(/^… (before )+needle <i>&amp;( after)+ …$/);
  expect(result?.text.length).toBeLessThan(180);
});

test.each([
  '*',
  '"',
  '(',
  '\\',
  '<script>',
  '%00',
  '__proto__',
  'constructor',
  '🙂',
  'a'.repeat(200),
  'a '.repeat(100),
])('the query %s is accepted', async (query) => {
  const found = await find(query);
  expect(found.query).toBe(query);
  expect(Array.isArray(found.results)).toBe(true);
});

test('names of Object.prototype properties are ordinary words', async () => {
  const of = [page('/a', 'A', [section(null, '', '__proto__ constructor hasOwnProperty')])];
  expect(await hrefs('constructor', of)).toEqual(['/a']);
  expect(await hrefs('hasOwnProperty', of)).toEqual(['/a']);
});

test('a remote with the best matches leaves half of the results to others, also of the first ones', async () => {
  const own = (app: string, count: number, title: string) =>
    Array.from({ length: count }, (_, at) => ({
      ...page(`/${app}/${at}`, title, [section(null, '', 'word')]),
      app,
    }));
  const foundApps = async (all: SearchablePage[]) =>
    (await find('word', all)).results.map(({ href }) => href.split('/')[1]);
  const loud = own('mfe-loud', 40, 'Word');
  const among = await foundApps([...loud, ...own('mfe-b', 3, 'B'), ...own('mfe-c', 40, 'C')]);
  expect(among[0]).toBe('mfe-loud');
  for (let places = 1; places <= 20; places += 1)
    expect(among.slice(0, places).filter((app) => app === 'mfe-loud').length).toBeLessThanOrEqual(
      Math.ceil(places / 2),
    );
  expect(among.toSorted()).toEqual(
    ['mfe-b', 'mfe-c', 'mfe-loud'].flatMap((app, at) => Array<string>([3, 7, 10][at] ?? 0).fill(app)),
  );
  expect(await foundApps([...loud, ...own('mfe-b', 3, 'B')])).toHaveLength(20);
  expect(await foundApps(loud)).toEqual(Array(20).fill('mfe-loud'));
});

test('a remote with too many different words loses the last ones, so that no query matches them all', async () => {
  const text = (from: number) => Array.from({ length: 500 }, (_, at) => `auth${from + at}x`).join(' ');
  const loud = Array.from({ length: 20 }, (_, at) =>
    page(`/loud/${at}`, 'Loud', [section(null, '', text(at * 500))]),
  );
  const index = await createSearchIndex([
    ...loud,
    { ...page('/b', 'B', [section(null, '', 'auth9999x')]), app: 'b' },
  ]);
  expect(index.find('auth100x').results[0]?.href).toBe('/loud/0');
  const [kept] = index.find('auth9999x').results;
  expect(kept?.href).toBe('/b');
});

test('a remote beyond its limit loses only its own words', async () => {
  const long = 'filler '.repeat(700);
  const loud = Array.from({ length: 300 }, (_, at) =>
    page(`/loud/${at}`, `Loud ${at}`, [section(null, '', `${long} loud${at}end`)]),
  );
  const quiet = { ...page('/quiet', 'Quiet', [section(null, '', 'modest')]), app: 'mfe-b' };
  expect(searchLimits.remote).toBeLessThan(300 * long.length);
  const index = await createSearchIndex([...loud, quiet]);
  expect(index.find('loud0end').results[0]?.href).toBe('/loud/0');
  expect(index.find('modest').results.map(({ href }) => href)).toEqual(['/quiet']);
  expect(index.find('loud299end').results.map(({ href }) => href)).not.toContain('/loud/299');
});
