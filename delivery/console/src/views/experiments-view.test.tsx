import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { stubDialog } from '@site/testing/stub-dialog';
import type { AnswerTo, Sent } from '../data/client.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { changeAnswer, release } from '../testing/sample-answers.ts';
import { ExperimentsView } from './experiments-view.tsx';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

type Experiment = AnswerTo<'readExperiments'>['experiments'][number];

const none = { leader: null, lift: null, low: null, high: null, chance: null };
const experiment = (over: Partial<Experiment> = {}): Experiment => ({
  app: 'mfe-marketing',
  page: '/home',
  since: '2026-11-22T12:00:00.000Z',
  chosen: null,
  says: 'B leads by 12 % ± 14, 4,100 views, not decided',
  choices: [
    { choice: { headline: 'a' }, views: 2_050, reached: { start: 200 } },
    { choice: { headline: 'b' }, views: 2_050, reached: { start: 224 } },
  ],
  outcomes: [{ ...none, name: 'start', is: 'even', says: 'no difference' }],
  ...over,
});

test('an experiment shows the rate of each variant, and ends as a release of the configuration', async () => {
  const asked: Sent<'createRelease'>[] = [];
  renderConsole(<ExperimentsView />, {
    readExperiments: () => ({ experiments: [experiment()] }),
    createRelease: (sent) => {
      asked.push(sent);
      return changeAnswer({ dryRun: sent.body.dryRun === true });
    },
  });
  const table = await screen.findByRole('table', { name: 'Variants of /home' });
  expect(within(table).getByRole('row', { name: /headline=b 2,050 10\.9 % \(224\)/ })).toBeVisible();
  expect(screen.getByText('B leads by 12 % ± 14, 4,100 views, not decided')).toBeVisible();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Show to everyone headline=b of /home' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/everyone sees headline=b/)).toBeVisible();
  expect(asked.at(-1)?.body).toMatchObject({
    apps: {},
    config: { ...release('r12').config, chosenVariants: { '/home': { headline: 'b' } } },
    ifLive: 'r12',
    dryRun: true,
  });
});

test('an ended experiment names what everyone sees, and cannot be ended again', async () => {
  renderConsole(<ExperimentsView />, {
    readExperiments: () => ({
      experiments: [experiment({ chosen: { headline: 'b' }, says: 'ended: everyone sees B' })],
    }),
  });
  expect(await screen.findByRole('row', { name: /headline=b .* everyone sees it/ })).toBeVisible();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

test('without experiments the view says so', async () => {
  renderConsole(<ExperimentsView />, { readExperiments: () => ({ experiments: [] }) });
  expect(await screen.findByText('No live page declares outcomes for its variants.')).toBeVisible();
});
