import type { Locator, Page } from 'playwright-core';
import { isFocused, tabTo } from '../../e2e/harness/keyboard.ts';
import type { Visitor } from '../../e2e/harness/visitor.ts';
import type { Cluster } from './cluster.ts';

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

/** Opens a view of the console and signs in. Default: the operators' token. */
export async function signIn(
  { page }: Visitor,
  cluster: Cluster,
  { token = cluster.tokens.ops, path = '' } = {},
): Promise<void> {
  await page.goto(`${cluster.registry.url}/console${path}`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

export const appLine = (page: Page, app: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: app, exact: true }) });

/** Opens an action, and selects a reason if required. @returns its dialog, ready to confirm. */
async function begin(page: Page, open: Locator, reason?: string): Promise<Locator> {
  await open.click();
  const dialog = page.getByRole('dialog');
  if (reason !== undefined) await dialog.getByRole('radio', { name: reason, exact: true }).check();
  return dialog;
}

/** Opens the rollback of an app on the first view, and selects a reason. @returns its dialog, ready to confirm. */
export const beginRollback = (page: Page, app: string): Promise<Locator> =>
  begin(page, appLine(page, app).getByRole('button', { name: 'Roll back' }), 'It is slow');

/**
 * Rolls back a version by keyboard alone, from any view, and waits until every edge has followed.
 *
 * @param done runs before the dialog is closed.
 */
export async function rollBackByKeyboard(
  page: Page,
  app: string,
  version: string,
  done: () => Promise<void>,
): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.type('gn');
  const open = appLine(page, app).getByRole('button', { name: 'Roll back' });
  await open.waitFor();
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Roll back ${app}` });
  const reason = dialog.getByRole('radio').first();
  await reason.waitFor();
  await tabTo(page, reason);
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByRole('button', { name: `Take ${version} away` }));
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Every responding edge/).waitFor();
  await done();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The focus returns.
  expect(await isFocused(open)).toBe(true);
}

/** Opens an action, selects a reason, confirms, waits for the result, and closes it. */
export async function act(
  page: Page,
  open: Locator,
  confirm: string | RegExp,
  {
    reason,
    says,
    look,
  }: { reason?: string; says: string | RegExp; look?: (dialog: Locator) => Promise<void> },
): Promise<void> {
  const dialog = await begin(page, open, reason);
  await dialog.getByRole('button', { name: confirm }).click();
  await dialog.getByText(says).waitFor();
  await look?.(dialog);
  await leave(dialog);
}

export async function leave(dialog: Locator): Promise<void> {
  // The other one is the icon at the top.
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

/** A dialog's message when all three edges have the change. */
export const everyEdge = /^Every responding edge \(3\) serves it after \d+\.\d s\.$/;

/** The edition of a remote on each edge for a new visitor, or with this cookie. */
export async function editions(
  cluster: Cluster,
  path: string,
  cookie?: string,
): Promise<(string | undefined)[]> {
  return Promise.all(
    cluster.edges.map(async ({ url }) => {
      const page = await (
        await fetch(url + path, cookie === undefined ? {} : { headers: { cookie } })
      ).text();
      return /data-edition="([^"]+)"/.exec(page)?.[1];
    }),
  );
}
