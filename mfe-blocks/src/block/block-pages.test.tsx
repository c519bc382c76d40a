import { screen, within } from '@testing-library/react';
import { renderPage, testBrand } from '@site/testing/render-page';
import { blocks } from '../pages/blocks-page.data.ts';
import { formatJson } from './format-json.ts';

const others = blocks.filter(({ slug }) => slug !== 'auth');

async function show(slug: string) {
  const { default: BlockPage } = (await import(`./${slug}-block-page.tsx`)) as {
    default: () => React.JSX.Element;
  };
  renderPage(<BlockPage />, { path: `/blocks/${slug}` });
  await screen.findByRole('region', { name: 'Call by call' });
}

describe.each(others)('the page of $name', ({ slug, name }) => {
  test('shows three to five calls, each with its request and response', async () => {
    await show(slug);
    expect(screen.getByRole('heading', { level: 1, name: `${name} Block` })).toBeVisible();
    const calls = within(screen.getByRole('region', { name: 'Call by call' })).getAllByRole('heading', {
      level: 3,
    });
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(calls.length).toBeLessThanOrEqual(5);
    const listed = within(screen.getByRole('list', { name: 'Calls of this block' })).getAllByRole('listitem');
    expect(listed).toHaveLength(calls.length);
    for (const call of calls) {
      const [request, response, ...more] = call.closest('li')!.querySelectorAll('pre');
      expect(more).toEqual([]);
      const [method, path] = (request?.ariaLabel ?? request?.getAttribute('aria-label') ?? '').split(' ');
      expect(request).toHaveTextContent(`"$API${path}"`);
      expect(method).toMatch(/^(GET|POST|PUT)$/);
      expect(() => JSON.parse(response?.textContent ?? '') as unknown).not.toThrow();
    }
  });

  test('links to other blocks with the reason, and marks its screen as sample data', async () => {
    await show(slug);
    const links = within(screen.getByRole('region', { name: 'Snaps onto' })).getAllByRole('link');
    const known = blocks.map((block) => `/blocks/${block.slug}`);
    for (const link of links) {
      expect(known).toContain(link.getAttribute('href'));
      expect(link).not.toHaveAttribute('href', `/blocks/${slug}`);
    }
    expect(links.length).toBeGreaterThanOrEqual(3);
    expect(screen.getByText('Sample data')).toBeVisible();
  });
});

test('"View Documentation" leads to the calls; the sign-up is one click away', async () => {
  await show('forms');
  const target = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href');
  expect(target('View Documentation')).toBe('/blocks/forms#calls');
  expect(target('Start Using This Block')).toBe(`${testBrand.application.staging}/auth/register`);
});

test('every block has a page, and every page belongs to a block', async () => {
  const { default: config } = await import('../../remote.config.ts');
  expect(config.pages.map(({ path }) => path).sort()).toEqual(
    ['/blocks', ...blocks.map(({ slug }) => `/blocks/${slug}`)].sort(),
  );
});

test.each([
  [{ a: 1, b: ['x', 'y'] }, '{\n  "a": 1,\n  "b": ["x", "y"]\n}'],
  [{ data: [{ id: '1' }, { id: '2' }] }, '{\n  "data": [{ "id": "1" }, { "id": "2" }]\n}'],
  [[], '[]'],
])('short lists and objects of JSON are on one line: %j', (value, text) => {
  expect(formatJson(value)).toBe(text);
});
