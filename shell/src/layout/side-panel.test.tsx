import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderPage } from '@site/testing/render-page';
import { stubDialog } from '@site/testing/stub-dialog';
import { SidePanel } from './side-panel.tsx';

let restoreDialog: () => void;
beforeEach(() => {
  restoreDialog = stubDialog();
});
afterEach(() => {
  restoreDialog();
});

const button = () => screen.getByRole('button', { name: 'Open the menu' });
const panel = () => screen.getByRole('dialog', { name: 'Menu' });

async function renderOpen() {
  renderPage(<SidePanel />, { path: '/blocks' });
  await userEvent.click(button());
}

test('is closed until its button is pressed', async () => {
  renderPage(<SidePanel />);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await userEvent.click(button());
  expect(panel()).toHaveAttribute('open');
});

test("contains the header's links, with the current one marked", async () => {
  await renderOpen();
  const names = [
    'HOME',
    'START building',
    'For startups',
    'Partners',
    'SUPPORT',
    'Platform Status',
    'Support Center',
    'DEVELOPERS',
    'Log In',
    'Sign Up',
  ];
  for (const name of names) expect(within(panel()).getByRole('link', { name })).toBeInTheDocument();
  expect(within(panel()).getByRole('link', { name: 'BLOCKS' })).toHaveAttribute('aria-current', 'page');
});

test.each<[string, () => Element]>([
  ['a link', () => within(panel()).getByRole('link', { name: 'START building' })],
  ['the close button', () => within(panel()).getByRole('button', { name: 'Close the menu' })],
  ['the backdrop', () => panel()],
])('a click on %s closes it', async (_what, target) => {
  await renderOpen();
  await userEvent.click(target());
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a click on the empty area of its content leaves it open', async () => {
  await renderOpen();
  await userEvent.click(within(panel()).getByRole('navigation'));
  expect(panel()).toHaveAttribute('open');
});

test('restores the focus to its button, however it is closed', async () => {
  await renderOpen();
  within(panel()).getByRole('button', { name: 'Close the menu' }).focus();
  // The platform's reaction to Escape. The browser tests press the key itself.
  (panel() as HTMLDialogElement).close();
  expect(button()).toHaveFocus();
});

test('opens before hydration, if the browser supports commands', () => {
  renderPage(<SidePanel />);
  const dialog = screen.getByRole('dialog', { hidden: true });
  expect(button()).toHaveAttribute('command', 'show-modal');
  expect(button()).toHaveAttribute('commandfor', dialog.id);
});
