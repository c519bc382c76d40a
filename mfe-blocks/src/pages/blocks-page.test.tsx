import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage, testBrand } from '@site/testing/render-page';
import { blocks } from './blocks-page.data.ts';
import BlocksPage from './blocks-page.tsx';

async function show(path: string) {
  renderPage(<BlocksPage />, { path });
  await screen.findByRole('form', { name: 'Assemble your backend' });
}

const parts = () =>
  within(screen.getByRole('region', { name: 'What is in the box' })).queryAllByRole('heading', { level: 3 });

test('shows the fifteen blocks of the specification, each with a drawing', async () => {
  await show('/blocks');
  expect(parts().map((part) => within(part).getByRole('link').textContent)).toEqual([
    'Companies',
    'File Management',
    'Forms',
    'Auth',
    'Geolocation',
    'Jarvis (ML)',
    'Journey',
    'Onboarding',
    'Products',
    'Real Time',
    'Rewards',
    'Sales',
    'Search',
    'University',
    'Content',
  ]);
  const drawings = parts().map((part) => part.closest('li')?.querySelector('img')?.src);
  expect(new Set(drawings).size).toBe(15);
});

test('links each block to its solution page', async () => {
  await show('/blocks');
  const addresses = parts().map((part) => within(part).getByRole<HTMLAnchorElement>('link').href);
  expect(new Set(addresses).size).toBe(15);
  expect(addresses.every((address) => address.startsWith(testBrand.documentation))).toBe(true);
  expect(addresses).toContain(`${testBrand.documentation}file-management`);
});

test('links each block to its page on this site', async () => {
  await show('/blocks');
  const here = screen.getAllByRole('link', { name: /, call by call$/ });
  expect(here.map((link) => link.getAttribute('href'))).toEqual(blocks.map(({ slug }) => `/blocks/${slug}`));
});

test('filters the blocks, shows their number, and shows all of them again', async () => {
  const user = userEvent.setup();
  await show('/blocks');
  await user.click(screen.getByRole('radio', { name: 'People' }));
  expect(parts().map((part) => within(part).getByRole('link').textContent)).toEqual([
    'Companies',
    'Auth',
    'Journey',
    'Onboarding',
    'University',
  ]);
  expect(screen.getByText('5 of 15 blocks')).toBeInTheDocument();
  await user.click(screen.getByRole('radio', { name: 'All' }));
  expect(parts()).toHaveLength(15);
});

test("starts with the URL's filter", async () => {
  await show('/blocks?filter=growth');
  expect(screen.getByRole('radio', { name: 'Growth' })).toBeChecked();
  expect(parts()).toHaveLength(5);
});

test('lists every block in one of the groups', async () => {
  const user = userEvent.setup();
  await show('/blocks');
  const found: string[] = [];
  for (const group of ['People', 'Content', 'Growth']) {
    await user.click(screen.getByRole('radio', { name: group }));
    found.push(...parts().map((part) => part.textContent));
  }
  expect(new Set(found).size).toBe(15);
  expect(found).toHaveLength(15);
});

test('has the four benefits, and calls to action to the start page', async () => {
  await show('/blocks');
  const inside = screen.getByRole('region', { name: 'What is in every block' });
  expect(
    (await within(inside).findAllByRole('heading', { level: 3 })).map((heading) => heading.textContent),
  ).toEqual(['Instrumentation', 'Telemetry', 'DevOps', 'Infrastructure']);
  expect(screen.getByRole('link', { name: 'Start Building Free' })).toHaveAttribute('href', '/start/');
  expect(screen.getByRole('link', { name: 'Look inside the Auth Block' })).toHaveAttribute(
    'href',
    '/blocks/auth',
  );
});
