import { act, fireEvent, screen, within } from '@testing-library/react';
import { appLine, overview } from '../testing/sample-answers.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { CallError } from '../data/call-error.ts';
import { NowView } from './now-view.tsx';

const hostile = '<img src=x onerror="alert(1)">{{constructor}}\u202Egnp';

test('each app has one row, and apps with problems come first', async () => {
  renderConsole(<NowView />, {
    readOverview: () =>
      overview({
        apps: [
          appLine('mfe-alpha'),
          appLine('mfe-worse', {
            standing: { verdict: 'bad', since: '2026-11-22T12:00:00.000Z', proven: null },
          }),
        ],
      }),
  });
  const table = within(await screen.findByRole('region', { name: 'Apps, one per row' }));
  const [, first, second] = table.getAllByRole('row');
  expect(first).toHaveTextContent(/mfe-worse.*Bad.*13.*1,800 ms.*90 ms/);
  expect(second).toHaveTextContent(/mfe-alpha.*Watching/);
});

test("the guard's suggestion comes first, with its button", async () => {
  renderConsole(<NowView />, {
    readOverview: () =>
      overview({
        needs: [
          {
            kind: 'suggested',
            app: 'mfe-blocks',
            version: '1.0.0-bad000000000',
            edge: null,
            since: '2026-11-22T12:00:00.000Z',
            says: 'It has more faults than the one before.',
          },
        ],
      }),
  });
  const needs = within(await screen.findByRole('region', { name: 'Needs a person' }));
  expect(needs.getByText('It has more faults than the one before.')).toBeInTheDocument();
  expect(needs.getByRole('button', { name: 'Roll back mfe-blocks' })).toBeInTheDocument();
});

test('rollbacks of the last day are shown with their publisher and a link', async () => {
  const done = {
    app: 'mfe-blocks',
    version: '1.0.0-bad000000000',
    release: 'r12',
    at: '2026-11-22T12:00:00.000Z',
    by: 'guard',
    publishedBy: 'Tom',
    says: hostile,
  };
  renderConsole(<NowView />, { readOverview: () => overview({ recent: [done] }) });
  const part = within(await screen.findByRole('region', { name: 'Rolled back in the last day' }));
  expect(part.getByRole('row', { name: /mfe-blocks.*Tom.*guard/ })).toHaveTextContent('<img src=x');
  expect(part.getByRole('link', { name: 'r12' })).toHaveAttribute('href', '/timeline?app=mfe-blocks');
});

test('an empty channel is reported', async () => {
  renderConsole(<NowView />, { readOverview: () => overview({ release: null, apps: [], edges: [] }) });
  expect(await screen.findByText('Nothing is live yet.')).toBeInTheDocument();
  expect(screen.getByText('No edge has reported yet.')).toBeInTheDocument();
});

test("an error shows the registry's message", async () => {
  renderConsole(<NowView />, {
    readOverview: () => {
      throw new CallError('refused', 'channel_unknown', 'There is no such channel.');
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no such channel.');
});

test('the data stays when the registry stops responding', async () => {
  let isThere = true;
  const { reads } = renderConsole(<NowView />, {
    readOverview: () => {
      if (isThere) return overview();
      throw new CallError('no-answer', 'no_answer', 'The registry does not answer.');
    },
  });
  await screen.findByRole('region', { name: 'Apps, one per row' });
  isThere = false;
  await act(() => reads.refresh());
  expect(screen.getByRole('region', { name: 'Apps, one per row' })).toBeInTheDocument();
});

test('foreign text is rendered as text', async () => {
  const { container } = renderConsole(<NowView />, {
    readOverview: () =>
      overview({
        release: { id: 'r12', at: '2026-11-22T12:00:00.000Z', by: hostile, reason: hostile },
        needs: [
          {
            kind: 'trouble',
            app: null,
            version: null,
            edge: null,
            since: '2026-11-22T12:00:00.000Z',
            says: hostile,
          },
        ],
      }),
  });
  expect((await screen.findAllByText(hostile, { exact: false })).length).toBeGreaterThan(1);
  expect(container.querySelector('img')).toBeNull();
});

test('a canary whose share was raised offers the next step, not the current one', async () => {
  let share = 10;
  const { reads } = renderConsole(<NowView />, {
    readOverview: () => {
      const at = '2026-11-22T12:00:00.000Z';
      const canary = {
        release: 'r13',
        app: 'mfe-blocks' as const,
        version: '1.0.0-000000000002',
        share,
        since: at,
        by: 'Tom',
        reason: 'a test',
        stages: null,
      };
      const need = {
        kind: 'canary',
        app: 'mfe-blocks',
        version: null,
        edge: null,
        since: at,
        says: 'It runs.',
      } as const;
      return overview({ canaries: [canary], needs: [need] });
    },
  });
  const slider = await screen.findByRole('slider');
  fireEvent.change(slider, { target: { value: '30' } });
  expect(screen.getByRole('button', { name: 'Change to 30 %' })).toBeInTheDocument();
  share = 30;
  await act(() => reads.refresh());
  expect(screen.getByRole('button', { name: 'Change to 50 %' })).toBeInTheDocument();
  share = 50;
  await act(() => reads.refresh());
  expect(screen.getByRole('button', { name: 'Change to 99 %' })).toBeInTheDocument();
});
