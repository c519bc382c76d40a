import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { useLocation } from '@site/kit';
import { blocks } from '../pages/blocks-page.data.ts';
import Assembler from './assembler.tsx';

function Where() {
  return <output aria-label="query">{useLocation().search}</output>;
}

const show = (path: string) =>
  renderPage(
    <>
      <Assembler />
      <Where />
    </>,
    { path },
  );
const query = () => screen.getByRole('status', { name: 'query' }).textContent;
const boxes = () =>
  screen.getAllByRole('checkbox', { checked: true }).map((box) => box.getAttribute('value'));

test("checks the URL's blocks, in a form that needs no JavaScript", () => {
  show('/blocks?block=forms&block=auth&block=nothing');
  expect(boxes()).toEqual(['forms', 'auth']);
  expect(screen.getByText('On your plate: Forms, Auth')).toBeInTheDocument();
  const form = screen.getByRole('form', { name: 'Assemble your backend' });
  expect(form).toHaveAttribute('action', '/blocks#assemble');
  const marks = [...form.querySelectorAll('[data-checked-by]')].map((box) =>
    box.getAttribute('data-checked-by'),
  );
  expect(marks).toEqual(blocks.map(({ slug }) => `block=${slug}`));
});

test('the URL keeps the choice, next to other parameters', async () => {
  show('/blocks?filter=people');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Search' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Auth' }));
  expect(boxes()).toEqual(['auth', 'search']);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Search' }));
  expect(boxes()).toEqual(['auth']);
});

test('the starter code and the link contain exactly the chosen blocks', async () => {
  const user = userEvent.setup();
  show('/blocks?block=auth&block=search');
  await user.click(screen.getByRole('button', { name: 'Copy: Starter code (sample)' }));
  const code = await navigator.clipboard.readText();
  expect(code.match(/^\/\/ .*$/gm)).toEqual(['// Auth', '// Search']);
  await user.click(screen.getByRole('button', { name: 'Copy the link' }));
  expect(await navigator.clipboard.readText()).toMatch(/\/blocks\?block=auth&block=search#assemble$/);
  expect(screen.getByText('Link copied')).toBeVisible();
});

test('a set of blocks is a link', async () => {
  show('/blocks');
  await userEvent.click(screen.getByRole('link', { name: 'client portal' }));
  expect(boxes()).toEqual(['companies', 'file-management', 'forms', 'auth']);
  expect(query()).toBe('?block=auth&block=companies&block=file-management&block=forms');
});

test('the document contains the drawing, the part and the code of every block', () => {
  show('/blocks');
  const form = screen.getByRole('form', { name: 'Assemble your backend' });
  for (const { slug, name } of blocks) {
    const [piece, part, code] = form.querySelectorAll(`[data-part="${slug}"]`);
    expect(piece?.firstElementChild).toBeInstanceOf(HTMLImageElement);
    expect([part?.textContent, code?.textContent]).toEqual([
      `1 × ${name}`,
      expect.stringContaining(`// ${name}\n`) as unknown,
    ]);
  }
});
