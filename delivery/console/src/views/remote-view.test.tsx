import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { stubDialog } from '@site/testing/stub-dialog';
import { CallError } from '../data/call-error.ts';
import { renderConsole, type Answers } from '../testing/render-console.tsx';
import { appLine, bad, overview } from '../testing/sample-answers.ts';
import { RemoteView } from './remote-view.tsx';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

const noVersions = { app: 'mfe-blocks', next: null, versions: [] };

function show(answers: Answers, path = '/apps/mfe-blocks') {
  return renderConsole(
    <Routes>
      <Route path="apps/:app" element={<RemoteView />} />
    </Routes>,
    {
      readOverview: () => overview({ apps: [appLine('mfe-blocks')] }),
      readSeries: () => ({ since: '2026-11-22T12:00:00.000Z', everyMinutes: 5, rows: [] }),
      listVersions: () => noVersions,
      listPreviews: () => ({ previews: [] }),
      ...answers,
    },
    { path },
  );
}

const live = async () => (await screen.findByText(/is live on production since/)).textContent;

test('it asks for the line of its app alone', async () => {
  const asked: (string | undefined)[] = [];
  show({
    readOverview({ query }) {
      asked.push(query?.app);
      return overview({ apps: [appLine('mfe-blocks')] });
    },
  });
  expect(await live()).toContain(bad);
  expect(asked).toEqual(['mfe-blocks']);
});

test('of a registry that knows no such question yet it reads the line among all', async () => {
  show({
    readOverview({ query }) {
      if (query?.app === undefined) return overview();
      throw new CallError('refused', 'request_malformed', 'There is no parameter "app" here.');
    },
  });
  expect(await live()).toContain(bad);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an app that nobody has published is said to be none', async () => {
  show({ readOverview: () => overview({ apps: [] }) });
  expect(await screen.findByText('No app is called mfe-blocks.')).toBeInTheDocument();
});
