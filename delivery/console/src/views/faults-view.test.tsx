import { screen, within } from '@testing-library/react';
import type { Answer } from '../data/client.ts';
import { good } from '../testing/sample-answers.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { FaultsView } from './faults-view.tsx';

const at = '2026-11-22T12:00:00.000Z';

const fault: Answer<'listFaults'>['faults'][number] = {
  kind: 'error',
  app: 'mfe-blocks',
  version: good,
  message: 'x is undefined',
  file: '/assets/mfe-blocks/chunk.js',
  line: 3,
  column: 14,
  source: null,
  routes: ['/blocks'],
  count: 150,
  first: at,
  last: at,
  firstVersion: good,
};

test('a fault lies where the sources say, where they are known, else in the built file, else nowhere', async () => {
  renderConsole(<FaultsView />, {
    listFaults: () => ({
      faults: [
        {
          ...fault,
          source: { file: 'mfe-blocks/src/<img src=x onerror="alert(1)">.tsx', line: 12, column: 5 },
        },
        fault,
        { ...fault, file: null, line: null, column: null },
      ],
    }),
  });
  const table = within(await screen.findByRole('region', { name: 'Faults, newest first' }));
  const places = table
    .getAllByRole('row')
    .map((row) => row.querySelector('[data-column="Where"]')?.textContent);
  expect(places.slice(1)).toEqual([
    'mfe-blocks/src/<img src=x onerror="alert(1)">.tsx:12:5',
    '/assets/mfe-blocks/chunk.js:3:14',
    '–',
  ]);
});
