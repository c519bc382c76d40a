import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { bad, sampleFault as fault } from '../testing/sample-answers.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { FaultsView } from './faults-view.tsx';

test('a fault shows the source position if known, else the position in the built file, else none', async () => {
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

test('a fault shows its browsers if reported', async () => {
  renderConsole(<FaultsView />, {
    listFaults: () => ({ faults: [fault, { ...fault, browsers: [] }, { ...fault, onlyIn: 'Safari' }] }),
  });
  const table = within(await screen.findByRole('region', { name: 'Faults, newest first' }));
  const browsers = table
    .getAllByRole('row')
    .map((row) => row.querySelector('[data-column="Browsers"]')?.textContent);
  expect(browsers.slice(1)).toEqual(['iOS 1,120, Chrome 3', '–', 'only in Safari: iOS 1,120, Chrome 3']);
});

test('a fault that an older version had as well names that version and its own time', async () => {
  renderConsole(<FaultsView />, {
    listFaults: () => ({ faults: [{ ...fault, firstVersion: bad }, fault] }),
  });
  const table = within(await screen.findByRole('region', { name: 'Faults, newest first' }));
  const first = table
    .getAllByRole('row')
    .map((row) => row.querySelector('[data-column="First seen"]')?.textContent.replace(/^.* ago/, 'ago'));
  expect(first.slice(1)).toEqual([`ago in this version, before that in ${bad}`, 'ago in this version']);
});

test('a truncated list says so and can be continued', async () => {
  const limits: unknown[] = [];
  renderConsole(<FaultsView />, {
    listFaults: ({ query }) => {
      limits.push(query?.limit);
      return { faults: Array.from({ length: 100 }, (_, index) => ({ ...fault, message: `x ${index}` })) };
    },
  });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Show older' }));
  await waitFor(() => expect(limits.at(-1)).toBe(200));
});
