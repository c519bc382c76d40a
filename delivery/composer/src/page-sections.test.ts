import * as v from 'valibot';
import { searchLimits, SearchSectionsSchema, type SearchSection } from '@site/contract';
import { checkPage } from './check-page.ts';

/** What can be found of a page with this in its `<main>`. */
function sectionsIn(main: string): SearchSection[] {
  const checked = checkPage({
    head: '',
    html: `<header>Logo</header><main>${main}</main><footer>Legal</footer>`,
  });
  if ('problem' in checked) throw new Error(checked.problem);
  return v.parse(SearchSectionsSchema, checked.page.sections);
}

test('a page is taken apart at its headings, and what stands around it is not of it', () => {
  expect(
    sectionsIn(
      '<h1>Blocks</h1><p>All parts.</p><h2 id="auth">Auth</h2><p>Logs users in.</p><h2>Forms</h2><p>Collects.</p>',
    ),
  ).toEqual([
    { anchor: null, heading: '', text: 'Blocks All parts.' },
    { anchor: 'auth', heading: 'Auth', text: 'Logs users in.' },
    { anchor: null, heading: 'Forms', text: 'Collects.' },
  ]);
});

test('a heading is led to by the id of the section that it opens, and by its own where there is none', () => {
  const anchors = (main: string) => sectionsIn(main).map(({ anchor, heading }) => [anchor, heading]);
  expect(
    anchors(
      '<section id="pricing"><div><h2 id="_R_1_">Plans</h2></div><h2 id="second">Second</h2></section>',
    ),
  ).toEqual([
    [null, ''],
    ['pricing', 'Plans'],
    ['second', 'Second'],
  ]);
  // The element with the id is over before the heading begins.
  expect(anchors('<div id="box">text</div><input id="field"/><h2>Plans</h2>')).toEqual([
    [null, ''],
    [null, 'Plans'],
  ]);
});

test('nobody is led to an id that React made: it is another one in the next version', () => {
  expect(
    sectionsIn('<section aria-labelledby="_R_1_"><h2 id="_R_1_">Plans</h2></section>')[1]?.anchor,
  ).toBeNull();
});

test('a smaller heading that nothing leads to stays within its section, and can be found there', () => {
  expect(sectionsIn('<h2 id="a">One</h2><h3>Small</h3><p>x</p><h3 id="b">Led to</h3><p>y</p>')).toEqual([
    { anchor: null, heading: '', text: '' },
    { anchor: 'a', heading: 'One', text: 'Small x' },
    { anchor: 'b', heading: 'Led to', text: 'y' },
  ]);
});

test('links in a row are words of their own', () => {
  expect(
    sectionsIn('<p>See <a href="/a">all</a>.</p><div><a href="/b">Start</a><a href="/c">Explore</a></div>'),
  ).toEqual([{ anchor: null, heading: '', text: 'See all. Start Explore' }]);
});

test('words stay apart where elements do, and together where React divides a text', () => {
  const [first] = sectionsIn('<p>on<b>ce</b> <!-- -->more</p><p>and</p>again<ul><li>a</li><li>b</li></ul>');
  expect(first?.text).toBe('once more and again a b');
});

test('controls, drawings, data and what is hidden are no text of a page', () => {
  const [first] = sectionsIn(
    '<p>seen</p><button>pressed</button><nav>led</nav><svg><title>drawn</title></svg><p hidden="">hidden</p>' +
      '<fieldset><legend>Show</legend><label><input type="radio"/>All</label></fieldset>' +
      '<p aria-hidden="true">silent</p><select><option>chosen</option></select><script type="application/ld+json">{}</script>',
  );
  expect(first?.text).toBe('seen');
});

test('markup that a page writes as text stays text', () => {
  const [, section] = sectionsIn(
    '<h2 id="x">&lt;img src=x&gt;</h2><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  );
  expect(section).toEqual({ anchor: 'x', heading: '<img src=x>', text: '<script>alert(1)</script>' });
});

test('a section keeps words whole that hold soft hyphens, zero-width spaces or other format characters', () => {
  const [first, second] = sectionsIn(
    '<p>Daten&shy;schutz\u00ADrecht, Inter\u200Bopera<wbr>bility, a\u202Eb\n\tc d</p><h2>Micro\u00ADservices</h2>',
  );
  expect(first?.text).toBe('Datenschutzrecht, Interoperability, ab c d');
  expect(second?.heading).toBe('Microservices');
});

test('a page that is larger than it may be is cut, and refused for it never', () => {
  const sections = sectionsIn(
    `<h2 id="long">${'h'.repeat(1_000)}</h2><p>${'word '.repeat(4_000)}</p>` +
      Array.from(
        { length: 300 },
        (_, index) => `<h2 id="s${index}">S</h2><p>${'more '.repeat(100)}</p>`,
      ).join(''),
  );
  expect(sections).toHaveLength(searchLimits.sections);
  expect(sections[1]?.heading).toHaveLength(searchLimits.heading);
  expect(sections[1]?.text.length).toBeLessThanOrEqual(searchLimits.section);
  const all = sections.reduce((sum, { text }) => sum + text.length, 0);
  expect(all).toBeGreaterThan(searchLimits.page * 0.9);
  expect(all).toBeLessThanOrEqual(searchLimits.page);
});

test('a page without a main part has nothing to be found', () => {
  expect(checkPage({ head: '', html: '<p>text</p>' })).toMatchObject({ page: { sections: [] } });
});
