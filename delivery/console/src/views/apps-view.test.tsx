import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AnswerTo } from '../data/client.ts';
import { reader, renderConsole, type RegistryAnswers } from '../testing/render-console.tsx';
import { changeAnswer, good, release } from '../testing/sample-answers.ts';
import { stubDialog } from '@site/testing/stub-dialog';
import { AppsView } from './apps-view.tsx';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

const apps: AnswerTo<'listOwnedApps'> = {
  apps: [
    { app: 'mfe-blocks', owner: 'blocks', paths: ['/blocks/*'], live: good, retired: null, newest: good },
    {
      app: 'mfe-careers',
      owner: 'people',
      paths: ['/careers/*', '/jobs'],
      live: null,
      retired: { version: good, to: '/about-us', paths: ['/careers'] },
      newest: good,
    },
    { app: 'mfe-new', owner: 'people', paths: ['/new'], live: null, retired: null, newest: null },
    { app: 'shell', owner: 'platform', paths: [], live: good, retired: null, newest: good },
  ],
};

function show(answers: RegistryAnswers = {}, options: Parameters<typeof renderConsole>[2] = {}) {
  return renderConsole(<AppsView />, { listOwnedApps: () => apps, ...answers }, options);
}

const part = async (title: string) =>
  within((await screen.findByRole('heading', { name: title })).closest('section') as HTMLElement);

test('every app with its owner, paths and live version', async () => {
  show();
  const row = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
  expect(await row(/mfe-blocks/)).toMatch(/blocks.*\/blocks\/\*/);
  expect(await row(/mfe-careers/)).toMatch(/people.*retired.*leads to \/about-us.*\/jobs/);
  expect(await row(/mfe-new/)).toMatch(/not published yet/);
  const retiring = await part('Take an app off the site');
  const offered = retiring.getAllByRole('option').map(({ textContent }) => textContent);
  expect(offered).toEqual(['Choose one', 'mfe-blocks']);
});

test('a retirement lists the pages that link to the app, and one confirmation with a reason makes it', async () => {
  const user = userEvent.setup();
  const asked: object[] = [];
  const links = [{ app: 'mfe-home', path: '/home', to: ['/blocks'] }];
  show({
    retireApp({ params, body }) {
      asked.push({ ...params, ...body });
      return changeAnswer({ release: release('r13'), links, dryRun: body.dryRun, quarantined: undefined });
    },
  });
  const retiring = await part('Take an app off the site');
  await user.selectOptions(retiring.getByLabelText('App'), 'mfe-blocks');
  await user.type(retiring.getByLabelText('Redirect its paths to'), '/about-us');
  await user.click(retiring.getByRole('button', { name: 'Retire mfe-blocks' }));

  expect(await screen.findByText('its paths redirect to /about-us')).toBeVisible();
  expect(screen.getByText('/home of mfe-home links to /blocks')).toBeVisible();
  expect(await screen.findByText('1 page: /blocks')).toBeVisible();
  expect(await screen.findByText(`40 page views with ${good} in the last hour`)).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'It is no longer needed' }));
  await user.click(screen.getByRole('button', { name: 'Take mfe-blocks off the site' }));
  expect(await screen.findByText('r13 is live on production, without mfe-blocks.')).toBeVisible();
  // A concurrent change must be shown first.
  const order = {
    channel: 'production',
    app: 'mfe-blocks',
    to: '/about-us',
    despiteLinks: true,
    ifLive: 'r12',
  };
  expect(asked).toMatchObject([
    { ...order, dryRun: true },
    { ...order, dryRun: false, reason: 'It is no longer needed' },
  ]);
});

test('a retired app is restored by a rollback without a version', async () => {
  const user = userEvent.setup();
  const asked: object[] = [];
  show({
    rollBack({ body }) {
      asked.push(body);
      return changeAnswer({ dryRun: body.dryRun, quarantined: undefined });
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Bring back mfe-careers' }));
  await user.click(await screen.findByRole('radio', { name: 'It is needed again' }));
  await user.click(screen.getByRole('button', { name: 'Restore mfe-careers on the site' }));
  expect(await screen.findByText('r13 is live on production, with mfe-careers.')).toBeVisible();
  expect(asked.at(-1)).toEqual({ app: 'mfe-careers', reason: 'It is needed again', dryRun: false });
});

test('ops register an app and transfer one to another team', async () => {
  const user = userEvent.setup();
  const asked: object[] = [];
  const owned = { app: 'mfe-shop', owner: 'sales', paths: ['/shop/*', '/cart'] };
  show({
    createApp({ body }) {
      asked.push(body);
      return { ...owned, changed: true };
    },
    changeApp({ params, body }) {
      asked.push({ ...params, ...body });
      return { ...owned, app: 'mfe-blocks', owner: 'sales', changed: true, tokens: ['ci-blocks'] };
    },
  });
  const creating = await part('Register an app');
  await user.type(creating.getByLabelText('Name'), 'mfe-shop');
  await user.type(creating.getByLabelText('Owner'), 'sales');
  await user.type(creating.getByLabelText('Paths'), '/shop/*, /cart');
  await user.click(creating.getByRole('button', { name: 'Register' }));
  await user.click(await screen.findByRole('button', { name: 'Register mfe-shop' }));
  expect(await screen.findByText('mfe-shop is registered.')).toBeVisible();
  expect(asked.at(-1)).toEqual({ ...owned, dryRun: false });
  const close = screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement;
  await user.click(close);

  const giving = await part('Transfer an app to another team');
  await user.selectOptions(giving.getByLabelText('App'), 'mfe-blocks');
  await user.type(giving.getByLabelText('New owner'), 'sales');
  await user.click(giving.getByRole('button', { name: 'Give mfe-blocks' }));
  expect(await screen.findByText('these tokens may still publish or activate it: ci-blocks')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Another team owns it now' }));
  await user.click(screen.getByRole('button', { name: 'Give mfe-blocks to sales' }));
  expect(await screen.findByText('mfe-blocks belongs to sales.')).toBeVisible();
});

test('an app that left the list can no longer be transferred', async () => {
  let listed = apps;
  const { reads } = show({ listOwnedApps: () => listed });
  const user = userEvent.setup();
  const giving = await part('Transfer an app to another team');
  await user.selectOptions(giving.getByLabelText('App'), 'mfe-new');
  expect(giving.getByRole('button', { name: /^Give/ })).toBeInTheDocument();
  listed = { apps: apps.apps.filter(({ app }) => app !== 'mfe-new') };
  await act(() => reads.refresh());
  expect(giving.getByLabelText('App')).toHaveDisplayValue('Choose one');
  expect(giving.queryByRole('button', { name: /^Give/ })).toBeNull();
});

test('without permission everything is visible, explained and disabled', async () => {
  show({}, { session: reader });
  const creating = await part('Register an app');
  expect(creating.getByRole('button', { name: 'Register' })).toHaveAttribute('aria-disabled', 'true');
  expect(creating.getByText(/Needs ops; your token has read/)).toBeVisible();
});
