import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { stubDialog } from '@site/testing/stub-dialog';
import { CallError } from '../data/call-error.ts';
import { renderConsole, type RegistryAnswers } from '../testing/render-console.tsx';
import { appLine, bad, good, overview } from '../testing/sample-answers.ts';
import { RemoteView } from './remote-view.tsx';

let restore: () => void;
beforeEach(() => {
  restore = stubDialog();
});
afterEach(() => restore());

const noVersions = { app: 'mfe-blocks', next: null, versions: [] };
const at = '2026-11-22T12:00:00.000Z';
const listed = (version: string) => ({
  version,
  publishedAt: at,
  publishedBy: 'ci blocks',
  commit: null,
  collectedAt: null,
  quarantined: null,
});

function show(answers: RegistryAnswers, path = '/apps/mfe-blocks') {
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

const live = async () => (await screen.findByText(/went live on production/)).textContent;

test('it requests the overview of its app alone', async () => {
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

test('an unpublished app is reported as unknown', async () => {
  show({ readOverview: () => overview({ apps: [] }) });
  expect(await screen.findByText('There is no app "mfe-blocks".')).toBeInTheDocument();
});

test('a version found by search heads the list, is highlighted, and is scrolled to', async () => {
  const scrolled: (string | null)[] = [];
  Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
    scrolled.push(this.closest('tr')?.textContent ?? null);
  };
  show(
    {
      listVersions: ({ query: { from } = {} }) => ({
        ...noVersions,
        // One for the list, one for the canary select.
        versions: from === undefined ? [listed(bad)] : [listed(from), listed('1.0.0-older0000000')],
      }),
    },
    `/apps/mfe-blocks?version=${good}`,
  );
  const table = within(await screen.findByRole('region', { name: 'Versions of mfe-blocks' }));
  const [, first, second] = table.getAllByRole('row');
  expect(first).toHaveTextContent(new RegExp(`${good}.*asked for`));
  expect(second).not.toHaveTextContent('asked for');
  expect(scrolled).toEqual([expect.stringContaining(good) as string]);
  expect(screen.getByRole('link', { name: 'Show the newest' })).toHaveAttribute('href', '/apps/mfe-blocks');
});

test('an unknown version is reported, with a link to all others', async () => {
  show(
    {
      listVersions({ query }) {
        if (query?.from === undefined) return noVersions;
        throw new CallError('refused', 'version_unknown', 'There is no version mfe-blocks@1.0.0-x.');
      },
    },
    '/apps/mfe-blocks?version=1.0.0-x',
  );
  expect(await screen.findByText('There is no version mfe-blocks@1.0.0-x.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Show the newest' })).toBeInTheDocument();
});
