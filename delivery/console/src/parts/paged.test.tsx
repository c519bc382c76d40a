import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Paged } from './paged.tsx';

const apps = (count: number) => Array.from({ length: count }, (_, index) => `mfe-${index}`);

function show(rows: readonly string[]) {
  render(
    <Paged rows={rows} of="apps" rowText={(app) => app}>
      {(shown) => (
        <ul>
          {shown.map((app) => (
            <li key={app}>{app}</li>
          ))}
        </ul>
      )}
    </Paged>,
  );
  return () => screen.queryAllByRole('listitem').length;
}

test('a short list is shown unchanged', () => {
  expect(show(apps(60))()).toBe(60);
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a long list is shown page by page until it is complete', async () => {
  const user = userEvent.setup();
  const shown = show(apps(150));
  expect(shown()).toBe(60);
  expect(screen.getByRole('status')).toHaveTextContent('60 of 150 apps shown');
  await user.click(screen.getByRole('button', { name: 'Show more apps' }));
  expect(shown()).toBe(120);
  await user.click(screen.getByRole('button', { name: 'Show more apps' }));
  expect(shown()).toBe(150);
  expect(screen.queryByRole('button')).toBeNull();
});

test('the filter finds entries on any page', async () => {
  const user = userEvent.setup();
  const shown = show(apps(150));
  await user.type(screen.getByRole('searchbox', { name: 'Only apps with' }), ' MFE-149');
  expect(shown()).toBe(1);
  expect(screen.getByText('mfe-149')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('1 of 1 apps shown');
});
