import type { Locator, Page } from 'playwright-core';
import type { Visitor } from '../../e2e/harness/visitor.ts';
import type { Cluster } from './cluster.ts';

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

/** Opens a view of the console, and signs in with a token: ops's unless another is given. */
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

/** The row of an app on the first view. */
export const appLine = (page: Page, app: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: app, exact: true }) });

/** Presses an action, gives a reason, confirms, and waits until every edge serves it. @returns what the dialog says then. */
export async function act(
  page: Page,
  open: Locator,
  confirm: string | RegExp,
  reason?: string,
): Promise<string> {
  await open.click();
  const dialog = page.getByRole('dialog');
  if (reason !== undefined) await dialog.getByText(reason, { exact: true }).click();
  await dialog.getByRole('button', { name: confirm }).click();
  await dialog.getByRole('button', { name: 'Close', exact: true }).nth(1).waitFor();
  return dialog.innerText();
}

/** Which edition of a remote each edge gives to a new visitor. */
export async function editions(cluster: Cluster, path: string): Promise<(string | undefined)[]> {
  return Promise.all(
    cluster.edges.map(async ({ url }) => {
      const page = await (await fetch(url + path)).text();
      return /data-edition="([^"]+)"/.exec(page)?.[1];
    }),
  );
}
