import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { stubDialog } from '@site/testing/stub-dialog';
import { renderConsole } from '../testing/render-console.tsx';
import { bad } from '../testing/sample-answers.ts';
import { ActionButton } from './action-button.tsx';
import { freeze } from './guarding-actions.ts';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

const live = [
  { app: 'mfe-blocks', version: bad },
  { app: 'mfe-partners', version: bad },
];

async function openPlan(action: ReturnType<typeof freeze>) {
  renderConsole(<ActionButton label="Freeze" action={action} />, {
    freezeChannel: () => ({ channel: 'production', changed: true, freezes: [] }),
  });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Freeze' }));
  return within(await screen.findByRole('region', { name: 'Planned change' }));
}

test('a freeze of one app shows its pages and current visitors', async () => {
  const plan = await openPlan(freeze('production', 'mfe-blocks', live.slice(0, 1)));
  expect(plan.getByText(/^nothing of mfe-blocks can go live until the freeze is lifted/)).toBeInTheDocument();
  expect(await plan.findByText('1 page: /blocks')).toBeInTheDocument();
  expect(await plan.findByText(`40 page views with ${bad} in the last hour`)).toBeInTheDocument();
});

test('a freeze of everything shows the number of apps', async () => {
  const plan = await openPlan(freeze('production', null, live));
  expect(plan.getByText(/^nothing of 2 apps can go live until the freeze is lifted/)).toBeInTheDocument();
});
