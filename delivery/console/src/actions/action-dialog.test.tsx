import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CallError } from '../data/call-error.ts';
import { bad, changeAnswer, channelAnswer, edge, good, release } from '../testing/sample-answers.ts';
import { reader, renderConsole, type RegistryAnswers } from '../testing/render-console.tsx';
import { useRead } from '../data/use-console.ts';
import { stubDialog } from '@site/testing/stub-dialog';
import { ActionButton } from './action-button.tsx';
import { promote, rollBack } from './channel-actions.ts';

let restore: () => void;
beforeEach(() => {
  // Lost responses are retried after seconds; waiting in these tests advances the timers.
  jest.useFakeTimers();
  restore = stubDialog();
});
afterEach(() => {
  restore();
  jest.useRealTimers();
});

const createUser = () => userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });

const button = <ActionButton label="Roll back" action={rollBack('production', 'mfe-blocks', bad)} />;

type RollBack = NonNullable<RegistryAnswers['rollBack']>;

/** A registry that rolls back and records its requests, with dry runs separate. */
function rollingBack(answer: (times: number) => ReturnType<RollBack> = () => changeAnswer()) {
  const orders: { reason: string; from: string | undefined; key: string | undefined }[] = [];
  const rollBackCall: RollBack = ({ body: { reason, from, dryRun } }, key) => {
    if (dryRun) return changeAnswer({ dryRun: true });
    orders.push({ reason, from, key });
    return answer(orders.length);
  };
  return { orders, rollBack: rollBackCall };
}

async function open() {
  const user = createUser();
  await user.click(screen.getByRole('button', { name: 'Roll back' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Roll back mfe-blocks' }));
  return { user, dialog };
}

test('it shows the planned change: the versions, the pages and their views', async () => {
  renderConsole(button, rollingBack());
  const { dialog } = await open();
  const plan = within(await dialog.findByRole('region', { name: 'Planned change' }));
  expect(plan.getByText(`mfe-blocks ${bad} → ${good}`)).toBeInTheDocument();
  expect(plan.getByText(`quarantined: mfe-blocks@${bad}`)).toBeInTheDocument();
  expect(await plan.findByText('1 page: /blocks')).toBeInTheDocument();
  expect(await plan.findByText(`40 page views with ${bad} in the last hour`)).toBeInTheDocument();
});

test('three clicks roll back a bad version; without a reason the last one does nothing', async () => {
  const { orders, ...answers } = rollingBack();
  renderConsole(button, answers);
  const { user, dialog } = await open();
  const confirm = await dialog.findByRole('button', { name: `Take ${bad} away` });
  expect(confirm).toHaveAccessibleDescription('Give a reason first.');
  await user.click(confirm);
  expect(orders).toEqual([]);
  await user.click(dialog.getByRole('radio', { name: 'Visitors see errors' }));
  await user.click(confirm);
  expect(await dialog.findByText('r13 is live on production.')).toBeInTheDocument();
  expect(orders).toEqual([{ reason: 'Visitors see errors', from: bad, key: expect.any(String) as string }]);
});

test('a lost response is retried with the same key', async () => {
  const { orders, ...answers } = rollingBack((times) => {
    if (times < 3) throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    return changeAnswer();
  });
  renderConsole(button, answers);
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  expect(await dialog.findByText(/It is unknown whether the change was made/)).toBeInTheDocument();
  expect(dialog.queryByText(/is live on/)).toBeNull();
  expect(await dialog.findByText('r13 is live on production.', {}, { timeout: 30_000 })).toBeInTheDocument();
  expect(new Set(orders.map(({ key }) => key)).size).toBe(1);
  expect(orders).toHaveLength(3);
});

test('a rate-limited retry after a lost response is not a rejection: it is retried when the registry allows it', async () => {
  const { orders, ...answers } = rollingBack((times) => {
    if (times === 1) throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    if (times === 2) throw new CallError('refused', 'rate_limited', 'Too many.', { againAfterMs: 3_000 });
    return changeAnswer();
  });
  renderConsole(button, answers);
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  expect(await dialog.findByText(/Trying again in 3 s/, {}, { timeout: 30_000 })).toBeInTheDocument();
  expect(dialog.getByText(/It is unknown whether the change was made/)).toBeInTheDocument();
  expect(dialog.queryByText('Nothing was changed.')).toBeNull();
  expect(await dialog.findByText('r13 is live on production.', {}, { timeout: 30_000 })).toBeInTheDocument();
  expect(new Set(orders.map(({ key }) => key)).size).toBe(1);
  expect(orders).toHaveLength(3);
});

test('a rate-limited first attempt is a rejection: nothing was changed', async () => {
  const { orders, ...answers } = rollingBack(() => {
    throw new CallError('refused', 'rate_limited', 'Too many.', { againAfterMs: 3_000 });
  });
  renderConsole(button, answers);
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Nothing was changed.Too many.');
  expect(orders).toHaveLength(1);
});

/** Loses the first response and rejects every later attempt until told otherwise. */
function losingAnswers() {
  let isAnswering = false;
  const rolling = rollingBack((times) => {
    if (times === 1) throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    if (!isAnswering) throw new CallError('refused', 'compose_unavailable', 'The composer is busy.');
    return changeAnswer();
  });
  return { ...rolling, startAnswering: () => (isAnswering = true) };
}

test('a rejection after a lost response leaves the outcome unknown, and the same request can be sent again', async () => {
  const { orders, startAnswering, ...answers } = losingAnswers();
  renderConsole(button, answers);
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  expect(await dialog.findByText('The composer is busy.', {}, { timeout: 30_000 })).toBeInTheDocument();
  expect(dialog.queryByText('Nothing was changed.')).toBeNull();
  expect(dialog.getByText('It is unknown whether the change was made.')).toBeInTheDocument();
  startAnswering();
  await user.click(dialog.getByRole('button', { name: 'Send the same request again' }));
  expect(await dialog.findByText('r13 is live on production.')).toBeInTheDocument();
  expect(dialog.queryByText('It is unknown whether the change was made.')).toBeNull();
  expect(new Set(orders.map(({ key }) => key)).size).toBe(1);
  expect(orders).toHaveLength(3);
});

test('the outcome of a lost request stays unknown while the dialog checks again', async () => {
  const { startAnswering: _, ...answers } = losingAnswers();
  renderConsole(button, answers);
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByText('The composer is busy.', {}, { timeout: 30_000 });
  await user.click(dialog.getByRole('button', { name: 'Look again' }));
  expect(await dialog.findByRole('region', { name: 'Planned change' })).toBeInTheDocument();
  expect(dialog.getByText('It is unknown whether the change was made.')).toBeInTheDocument();
});

/** As on the overview: the change removes its own button. */
function ViewOfCanary() {
  const isThere = useRead('readChannel', { params: { channel: 'production' } }).data?.revision === 12;
  return (
    <main>
      <h1 tabIndex={-1}>Now</h1>
      {isThere && button}
    </main>
  );
}

test('a request outlives its button, including a retry and the result', async () => {
  let now = channelAnswer();
  const { orders, ...answers } = rollingBack((times) => {
    now = channelAnswer({ revision: 13 });
    if (times === 1) throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    return changeAnswer();
  });
  const { reads } = renderConsole(<ViewOfCanary />, { ...answers, readChannel: () => now });
  await screen.findByRole('button', { name: 'Roll back' });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByText(/It is unknown whether the change was made/);
  await act(() => reads.refresh());
  expect(screen.queryByRole('button', { name: 'Roll back' })).toBeNull();
  expect(await dialog.findByText('r13 is live on production.', {}, { timeout: 30_000 })).toBeInTheDocument();
  expect(new Set(orders.map(({ key }) => key)).size).toBe(1);
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[1] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Now' })).toHaveFocus();
});

test('a concurrent change is shown and must be confirmed first', async () => {
  const { orders, ...answers } = rollingBack();
  let now = channelAnswer();
  const { reads } = renderConsole(button, { ...answers, readChannel: () => now });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  now = channelAnswer({ revision: 13, release: release('r13', { by: 'Eve', reason: 'the launch' }) });
  await act(() => reads.refresh());
  expect(await dialog.findByText('r13 went live in the meantime, by Eve: the launch')).toBeInTheDocument();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  const confirm = dialog.getByRole('button', { name: `Take ${bad} away` });
  expect(confirm).toHaveAccessibleDescription('Review the changes first.');
  await user.click(confirm);
  expect(orders).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'I have seen it' }));
  await user.click(confirm);
  await waitFor(() => expect(orders).toHaveLength(1));
});

test('unrelated changes, such as a published version, do not interrupt', async () => {
  const { orders, ...answers } = rollingBack();
  let now = channelAnswer();
  const { reads } = renderConsole(button, { ...answers, readChannel: () => now });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  now = channelAnswer({ revision: 13 });
  await act(() => reads.refresh());
  expect(dialog.queryByText(/meanwhile/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await waitFor(() => expect(orders).toHaveLength(1));
});

test('a changed plan must be confirmed first', async () => {
  let now = channelAnswer();
  const { reads } = renderConsole(button, {
    rollBack: () =>
      now.revision === 12
        ? changeAnswer()
        : changeAnswer({ changes: [{ app: 'mfe-blocks', from: bad, to: '1.0.0-older0000000' }] }),
    readChannel: () => now,
  });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  now = channelAnswer({ revision: 13 });
  await act(() => reads.refresh());
  expect(await dialog.findByText('Something has changed in the meantime.')).toBeInTheDocument();
  expect(dialog.getByText(`mfe-blocks ${bad} → 1.0.0-older0000000`)).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: `Take ${bad} away` })).toHaveAccessibleDescription(
    'Review the changes first.',
  );
});

test('a concurrent freeze is shown', async () => {
  let now = channelAnswer();
  const { reads } = renderConsole(button, { ...rollingBack(), readChannel: () => now });
  const { dialog } = await open();
  await dialog.findByRole('radio', { name: 'It is slow' });
  const freeze = { app: null, by: 'Eve', at: '2026-11-22T12:00:00.000Z', reason: 'the launch' };
  now = channelAnswer({ revision: 13, freezes: [freeze] });
  await act(() => reads.refresh());
  expect(
    await dialog.findByText('Everything was frozen in the meantime, by Eve: the launch'),
  ).toBeInTheDocument();
});

test('the reason of a rejection stays visible despite unrelated changes', async () => {
  let now = channelAnswer();
  const { rollBack: roll } = rollingBack(() => {
    throw new CallError('refused', 'version_not_live', `${bad} is not live any more.`);
  });
  const { reads } = renderConsole(button, { rollBack: roll, readChannel: () => now });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByRole('alert');
  now = channelAnswer({ revision: 13 });
  await act(() => reads.refresh());
  expect(dialog.getByRole('alert')).toHaveTextContent(`Nothing was changed.${bad} is not live any more.`);
});

test('a request that is pending when its dialog closes is not a concurrent change in the next dialog', async () => {
  let now = channelAnswer();
  let answer = () => {};
  const { rollBack: roll } = rollingBack();
  renderConsole(button, {
    rollBack: async (sent, key) => {
      if (!sent.body.dryRun) {
        now = channelAnswer({ revision: 13, release: release('r13', { by: 'Olga', reason: 'It is slow' }) });
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      return roll(sent, key);
    },
    readChannel: () => now,
  });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByText('The registry is working …');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  const again = await open();
  expect(again.dialog.getByText('Checking the effect …')).toBeInTheDocument();
  answer();
  await again.dialog.findByRole('region', { name: 'Planned change' });
  expect(again.dialog.queryByText(/meanwhile/)).toBeNull();
});

test("the user's own change is not a concurrent change, even if the view updates late", async () => {
  let now = channelAnswer();
  let follow = () => {};
  const { rollBack: roll } = rollingBack(() => {
    now = channelAnswer({ revision: 13 });
    return changeAnswer();
  });
  let reading: Promise<void> | undefined;
  renderConsole(button, {
    rollBack: (sent, key) => {
      const isOrder = !sent.body.dryRun;
      if (isOrder)
        reading = new Promise<void>((resolve) => {
          follow = resolve;
        });
      return roll(sent, key);
    },
    readChannel: async () => {
      const read = now;
      await reading;
      return read;
    },
  });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByText('r13 is live on production.');
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[1] as HTMLElement);
  const again = await open();
  expect(again.dialog.getByText('Checking the effect …')).toBeInTheDocument();
  follow();
  await again.dialog.findByRole('region', { name: 'Planned change' });
  expect(again.dialog.queryByText(/meanwhile/)).toBeNull();
});

test('a rejection shows the reason and that nothing was changed', async () => {
  const { rollBack: roll } = rollingBack(() => {
    throw new CallError('refused', 'version_not_live', `${bad} is not live any more.`);
  });
  renderConsole(button, { rollBack: roll });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  const alert = await dialog.findByRole('alert');
  expect(alert).toHaveTextContent(`Nothing was changed.${bad} is not live any more.`);
});

test('it shows the edges until the last responding one serves the change', async () => {
  let edges = [edge('edge-1', 'r13'), edge('edge-2', 'r12'), edge('edge-3', 'r12', false)];
  let revision = 12;
  renderConsole(button, {
    ...rollingBack(() => {
      revision = 13;
      return changeAnswer();
    }),
    readChannel: () => channelAnswer({ revision, edges }),
  });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  const list = within(await dialog.findByRole('region', { name: 'Edges' }));
  const line = async (name: string) => (await list.findByText(name)).closest('li');
  expect(await line('edge-1')).toHaveTextContent(/serves it after \d+\.\d s/);
  expect(await line('edge-2')).toHaveTextContent('not yet r12');
  expect(await line('edge-3')).toHaveTextContent('silent');
  expect(list.getByText('Waiting for the edges …')).toBeInTheDocument();
  edges = [edge('edge-1', 'r13'), edge('edge-2', 'r13'), edge('edge-3', 'r12', false)];
  expect(
    await list.findByText(/^Every responding edge \(2\) serves it after \d+\.\d s\.$/),
  ).toBeInTheDocument();
});

test('promoting a canary shows its pages and current visitors first', async () => {
  const canary = { release: 'r13', app: 'mfe-blocks', version: bad, share: 10 } as const;
  renderConsole(<ActionButton label="Promote" action={promote('production', canary)} />, {
    promoteCanary: () => changeAnswer(),
  });
  await createUser().click(screen.getByRole('button', { name: 'Promote' }));
  const plan = within(await screen.findByRole('region', { name: 'Planned change' }));
  expect(await plan.findByText('1 page: /blocks')).toBeInTheDocument();
  expect(await plan.findByText(`40 page views with ${bad} in the last hour`)).toBeInTheDocument();
});

test('without edges there is no wait', async () => {
  renderConsole(button, { ...rollingBack(), readChannel: () => channelAnswer({ edges: [] }) });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  expect(
    await dialog.findByText('No edge has reported recently, so none serves it yet.'),
  ).toBeInTheDocument();
});

test('it reports a failed dry run', async () => {
  let isThere = false;
  renderConsole(button, {
    ...rollingBack(),
    readChannel: () => {
      if (isThere) return channelAnswer();
      throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    },
  });
  const { user, dialog } = await open();
  expect(await dialog.findByRole('alert')).toHaveTextContent('Nothing was changed.The registry does not');
  isThere = true;
  await user.click(dialog.getByRole('button', { name: 'Look again' }));
  expect(await dialog.findByRole('region', { name: 'Planned change' })).toBeInTheDocument();
});

test('the focus stays in the dialog when the focused button disappears', async () => {
  renderConsole(button, rollingBack());
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole('radio', { name: 'It is slow' }));
  await user.click(dialog.getByRole('button', { name: `Take ${bad} away` }));
  await dialog.findByText('r13 is live on production.');
  expect(dialog.getByRole('heading', { name: 'Roll back mfe-blocks' })).toHaveFocus();
});

test('an action without permission is visible, explained and disabled', async () => {
  renderConsole(button, rollingBack(), { session: reader });
  const disabled = screen.getByRole('button', { name: 'Roll back' });
  expect(disabled).toHaveAttribute('aria-disabled', 'true');
  expect(disabled).toHaveAccessibleDescription('Needs activate:mfe-blocks; your token has read.');
  await createUser().click(disabled);
  expect(screen.queryByRole('dialog')).toBeNull();
});
