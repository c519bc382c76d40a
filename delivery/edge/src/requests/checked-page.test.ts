import { compressBody } from '@site/server/encoded-body';
import { createCheckedPages } from './checked-page.ts';

const radio = (value: string, more = '') =>
  `<input type="radio" data-checked-by="filter=${value}" value="${value}"${more}>`;
const html = `<main>${radio('all', ' checked=""')}${radio('people')}<input data-checked-by="block=auth"></main>`;
const page = async () => ({
  body: await compressBody(html),
  csp: '',
  hasIntegrity: true,
  links: [],
  keys: [],
});
const caller = () => 'a';

test('checks the controls that the query names, and nothing else', async () => {
  const checked = createCheckedPages({ now: () => 0 });
  const made = await checked(await page(), '?block=auth&x=%22%3E&filter=people', caller);
  expect(made.body.identity.toString()).toBe(
    html
      .replace('data-checked-by="filter=people"', '$& checked=""')
      .replace('data-checked-by="block=auth"', '$& checked=""'),
  );
});

test.each(['', '?filter=unknown', '?utm_source=x', '?filter=people%22', '?filter'])(
  'with the query "%s" the page stays as it was rendered',
  async (query) => {
    const rendered = await page();
    expect(createCheckedPages({ now: () => 0 })(rendered, query, caller)).toBe(rendered);
  },
);

test('over the limit of a network, the page is sent as it was rendered', async () => {
  const checked = createCheckedPages({ now: () => 0 });
  const rendered = await page();
  let made = 0;
  while ((await checked(rendered, '?filter=people', caller)) !== rendered) made += 1;
  expect(made).toBe(300);
  expect(await checked(rendered, '?filter=people', () => 'another')).not.toBe(rendered);
});
