import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { visitors } from '../e2e/harness/visitor.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { act, appLine, signIn } from './harness/console-page.ts';
import { makeEdgeToken } from './harness/edge-token.ts';

let cluster: Cluster;
const newVisitor = visitors();

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 1 });
});
afterAll(() => cluster.stop());

async function makeToken(scopes: string[]): Promise<{ id: string; token: string }> {
  const { body } = await cluster.ask<{ id: string; token: string }>('POST', '/v1/tokens', {
    body: { name: `console ${scopes.join(' ').replaceAll(':', ' ')}`, scopes },
  });
  return body;
}

/** Changes the database directly instead of waiting. */
async function query(statement: string, value: string): Promise<void> {
  const database = new Client(cluster.databaseUrl);
  await database.connect();
  try {
    await database.query(statement, [value]);
  } finally {
    await database.end();
  }
}

test('sign in and out; scripts cannot read the cookie, and after signing out it is invalid', async () => {
  const visitor = await newVisitor();
  const { page, context } = visitor;
  await page.goto(`${cluster.registry.url}/console`);
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  expect(await context.cookies()).toEqual([]);

  await signIn(visitor, cluster);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
  expect(await page.evaluate(() => document.cookie)).toBe('');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  expect(await context.cookies()).toEqual([]);
  const reused = await fetch(`${cluster.registry.url}/v1/channels/production`, {
    headers: {
      cookie: `${cookie?.name}=${cookie?.value}`,
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
    },
  });
  expect(reused.status).toBe(401);
});

test('revoking a token ends the open view, which returns after signing in again', async () => {
  const { id, token } = await makeToken(['read']);
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { token, path: '/timeline' });
  await page.getByRole('heading', { level: 1, name: 'Timeline of production' }).waitFor();
  await cluster.ask('POST', `/v1/tokens/${id}/revocations`, { body: { reason: 'a test' } });
  await page.getByText('You are signed out.').waitFor();
  expect(await page.getByRole('heading', { name: 'Timeline of production' }).count()).toBe(0);
  await page.getByLabel('Token').fill(cluster.tokens.ops);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Timeline of production' }).waitFor();
});

test('an expired token ends the open view', async () => {
  const { id, token } = await makeToken(['read']);
  const visitor = await newVisitor();
  const { page } = visitor;
  // The shortest possible lifetime is a day.
  await query(`update registry.tokens set expires_at = now() + interval '10 seconds' where id = $1`, id);
  await signIn(visitor, cluster, { token, path: '/timeline' });
  await page.getByRole('heading', { level: 1, name: 'Timeline of production' }).waitFor();
  await page.getByText('You are signed out.').waitFor();
  expect(await page.getByRole('heading', { name: 'Timeline of production' }).count()).toBe(0);
});

test('a link signs in once, and its code is removed from the URL', async () => {
  const { body } = await cluster.ask<{ path: string }>('POST', '/v1/console-links', { body: {} });
  const visitor = await newVisitor();
  await visitor.page.goto(cluster.registry.url + body.path);
  await visitor.page.getByRole('heading', { level: 1, name: 'Now on production' }).waitFor();
  expect(visitor.page.url()).not.toContain('code');
  expect(await visitor.page.evaluate(() => history.length)).toBeLessThan(3);

  const second = await newVisitor();
  await second.page.goto(cluster.registry.url + body.path);
  await second.page.getByText('The link did not sign you in.').waitFor();

  // The session stays valid, however often the link is opened.
  await visitor.page.goto('about:blank');
  await visitor.page.goto(cluster.registry.url + body.path);
  await visitor.page.getByRole('heading', { level: 1, name: 'Now on production' }).waitFor();
});

test('actions without permission are visible and explained', async () => {
  const { token } = await makeToken(['read', 'activate:mfe-alpha']);
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { token });
  await appLine(page, 'mfe-beta').getByText('Needs activate:mfe-beta').waitFor();
  expect(
    await appLine(page, 'mfe-beta').getByRole('button', { name: 'Roll back' }).getAttribute('aria-disabled'),
  ).toBe('true');
  expect(
    await appLine(page, 'mfe-alpha').getByRole('button', { name: 'Roll back' }).getAttribute('aria-disabled'),
  ).toBeNull();
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/tokens');
  await page.getByText('Needs ops; your token has read, activate:mfe-alpha.').waitFor();
});

test('a token is created and shown once, works, and stops working when it is revoked', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/tokens' });
  const making = page.getByRole('region', { name: 'New token' });
  await making.getByLabel('Name').fill('night shift');
  await making.getByLabel('Scopes').fill('read');
  let as = '';
  await act(page, making.getByRole('button', { name: 'Make token' }), 'Create the token "night shift"', {
    says: 'The token "night shift" is created.',
    look: async (dialog) => {
      as = await dialog.getByRole('textbox', { name: 'Token' }).inputValue();
    },
  });
  expect(await page.content()).not.toContain(as);
  const status = async () => (await cluster.ask('GET', '/v1/channels/production', { as })).status;
  expect(await status()).toBe(200);
  await act(page, page.getByRole('button', { name: 'Revoke night shift' }), 'Revoke "night shift" for good', {
    reason: 'It may have leaked',
    says: 'The token "night shift" is revoked.',
  });
  expect(await status()).toBe(401);
});

test('an app is registered and transferred to another team', async () => {
  const owned = async () =>
    (
      await cluster.ask<{ apps: { app: string; owner: string; paths: string[] }[] }>(
        'GET',
        '/v1/channels/production/apps',
      )
    ).body.apps.find(({ app }) => app === 'mfe-careers');
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster, { path: '/apps' });
  const creating = page.getByRole('region', { name: 'Register an app' });
  await creating.getByLabel('Name').fill('mfe-careers');
  await creating.getByLabel('Owner').fill('people');
  await creating.getByLabel('Paths').fill('/careers/*');
  await act(page, creating.getByRole('button', { name: 'Register' }), 'Register mfe-careers', {
    says: 'mfe-careers is registered.',
  });
  expect(await owned()).toMatchObject({ owner: 'people', paths: ['/careers/*'] });
  const giving = page.getByRole('region', { name: 'Transfer an app to another team' });
  await giving.getByLabel('App', { exact: true }).selectOption('mfe-careers');
  await giving.getByLabel('New owner').fill('growth');
  const give = giving.getByRole('button', { name: 'Give mfe-careers' });
  await act(page, give, 'Give mfe-careers to growth', {
    reason: 'Another team owns it now',
    says: 'mfe-careers belongs to growth.',
  });
  expect(await owned()).toMatchObject({ owner: 'growth' });
});

test('a lost edge is forgotten, and the saved audit log names the user', async () => {
  const as = await makeEdgeToken(cluster.registry.url, cluster.tokens.ops, 'edge-gone');
  await cluster.ask('PUT', '/v1/edges/edge-gone', { as, body: { channel: 'production', release: 'r1' } });
  await query(`update registry.edges set seen_at = now() - interval '1 hour' where id = $1`, 'edge-gone');
  const visitor = await newVisitor();
  const { page } = visitor;
  await signIn(visitor, cluster);
  await act(page, page.getByRole('button', { name: 'Forget it edge-gone' }), 'Forget edge-gone', {
    reason: 'The machine is gone',
    says: 'edge-gone is forgotten.',
  });
  const { body } = await cluster.ask<{ edges: { id: string }[] }>('GET', '/v1/channels/production');
  expect(body.edges.map(({ id }) => id)).toEqual(['edge-1']);
  await page.keyboard.type('ga');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save these entries as JSON' }).click(),
  ]);
  const [last] = JSON.parse(await readFile(await download.path(), 'utf8')) as object[];
  expect(last).toMatchObject({ action: 'edge.forgotten', subject: 'edge-gone', by: 'ops' });
});

test('another site cannot make changes with the session', async () => {
  const visitor = await newVisitor();
  await signIn(visitor, cluster);
  const { page } = visitor;
  await page.goto('data:text/html,<p>elsewhere</p>');
  const before = (await cluster.channel()).release?.id;
  await page.evaluate(async (url) => {
    await fetch(`${url}/v1/channels/production/rollbacks`, {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      body: JSON.stringify({ app: 'mfe-beta', reason: 'mine' }),
    }).catch(() => undefined);
  }, cluster.registry.url);
  expect((await cluster.channel()).release?.id).toBe(before);
});
