import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { stubDialog } from '@site/testing/stub-dialog';
import { renderConsole } from '../testing/render-console.tsx';
import { good } from '../testing/sample-answers.ts';
import { GuardingView } from './guarding-view.tsx';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

const listed = (app: string) => ({
  app,
  newest: good,
  publishedAt: '2026-11-22T12:00:00.000Z',
  live: good,
  quarantined: [],
});

test('the app select includes the app of a freeze, even if that app is no longer listed', async () => {
  let apps = [listed('mfe-blocks'), listed('mfe-careers')];
  const { reads } = renderConsole(<GuardingView />, {
    listApps: () => ({ apps }),
    readGuard: () => ({ policies: [], judgements: [], stages: [], fallbacks: [] }),
    listGuardActions: () => ({ actions: [] }),
  });
  const user = userEvent.setup();
  await screen.findByRole('option', { name: 'mfe-careers' });
  await user.selectOptions(screen.getByLabelText('App'), 'mfe-careers');
  apps = [listed('mfe-blocks')];
  await act(() => reads.refresh());
  expect(screen.getByLabelText('App')).toHaveDisplayValue('mfe-careers');
  await user.click(screen.getByRole('button', { name: 'Freeze' }));
  expect(
    within(await screen.findByRole('dialog')).getByRole('heading', { name: /mfe-careers/ }),
  ).toBeInTheDocument();
});
