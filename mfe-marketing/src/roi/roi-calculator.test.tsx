import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, useLocation } from '@site/kit';
import { renderPage } from '@site/testing/render-page';
import RoiCalculator from './roi-calculator.tsx';

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

function open(path = '/agencies') {
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  renderPage(
    <>
      <RoiCalculator />
      <Address />
      <Link to="/agencies?hours=200">Other figures</Link>
    </>,
    { path },
  );
  return {
    user,
    address: () => screen.getByTestId('address').textContent,
    settle: () => act(() => jest.advanceTimersByTime(1000)),
    fill: async (label: string, text: string) => {
      const field = screen.getByRole('spinbutton', { name: label });
      await user.clear(field);
      if (text) await user.type(field, text);
      return field;
    },
  };
}

const answer = () => screen.getByText(/^Extra revenue per (month|year)$/).nextElementSibling?.textContent;

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('initially shows the example', () => {
  open();
  expect(answer()).toBe('$28,000 to $46,400');
  expect(screen.getByText(/lies within the stated monthly impact of \+\$15,000 to \$50,000/)).toBeVisible();
});

test('calculates with the visitor’s figures on input, and writes them into the URL', async () => {
  const { fill, settle, address } = open('/agencies?utm_source=home');
  await fill('Average project price', '10000');
  expect(answer()).toBe('$35,000 to $58,000');
  settle();
  expect(address()).toBe('/agencies?utm_source=home&price=10000');
  expect(answer()).toBe('$35,000 to $58,000');
});

test('starts with the figures of a shared URL', () => {
  open('/agencies?price=10000&period=year');
  expect(screen.getByRole('spinbutton', { name: 'Average project price' })).toHaveValue(10_000);
  expect(screen.getByRole('radio', { name: 'Per year' })).toBeChecked();
  expect(answer()).toBe('$420,000 to $696,000');
});

test('every assumption can be changed', async () => {
  const { fill } = open();
  expect(screen.getAllByRole('spinbutton')).toHaveLength(12);
  await fill('Less time per project', '0');
  expect(screen.getByText('Limited by your hours')).toBeVisible();
  expect(answer()).toBe('$8,000 to $12,800');
});

test('explains an invalid figure and continues with the last valid one', async () => {
  const { fill, settle, address } = open('/agencies?projects=6');
  const before = answer();
  const field = await fill('Projects per month', '900');
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('Enter a number from 0.5 to 200. The result uses 6 until then.');
  settle();
  expect(answer()).toBe(before);
  expect(address()).toBe('/agencies?projects=6');
});

test('reports invalid figures in a link and shows the example instead', () => {
  open('/agencies?projects=lots&hours=80');
  expect(screen.getByRole('alert')).toHaveTextContent('Projects per month: “lots” does not work.');
  expect(screen.getByRole('spinbutton', { name: 'Projects per month' })).toHaveValue(4);
  expect(screen.getByRole('spinbutton', { name: 'Hours per project' })).toHaveValue(80);
});

test('a table lists the chart’s numbers per month and per year', () => {
  open();
  expect(
    screen.getByRole('img', {
      name: 'Revenue per month: $32,000 today, $60,000 with blocks at the low end, $78,400 at the high end.',
    }),
  ).toBeInTheDocument();
  const row = screen.getByRole('row', { name: /^Revenue with blocks/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['$60,000 to $78,400', '$720,000 to $940,800']);
});

test('works with the keyboard alone', async () => {
  const { user } = open();
  screen.getByRole('radio', { name: 'Per month' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(answer()).toBe('$336,000 to $556,800');
  await user.tab();
  expect(screen.getByRole('spinbutton', { name: 'Projects per month' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('slider', { name: 'Projects per month, slider' })).toHaveFocus();
});

test('resets to the example, including the URL', async () => {
  const { user, settle, address } = open('/agencies?projects=6&period=year&utm_source=home');
  await user.click(screen.getByRole('button', { name: 'Back to the example' }));
  settle();
  expect(answer()).toBe('$28,000 to $46,400');
  expect(address()).toBe('/agencies?utm_source=home');
});

test('moves the focus next to the reset button, which disappears', async () => {
  const { user } = open('/agencies?projects=6');
  await user.click(screen.getByRole('button', { name: 'Back to the example' }));
  expect(screen.queryByRole('button', { name: 'Back to the example' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy link to these figures' })).toHaveFocus();
});

test('copies a link with the figures to the calculator', async () => {
  const { user, fill } = open('/agencies?utm_source=home');
  const writeText = jest.spyOn(navigator.clipboard, 'writeText');
  await fill('Hours per project', '80');
  await user.click(screen.getByRole('button', { name: 'Copy link to these figures' }));
  expect(writeText).toHaveBeenCalledWith('http://localhost/agencies?hours=80#roi');
  expect(await screen.findByText('Link copied')).toBeVisible();
});

test.each([
  [
    'refuses to copy the link',
    () =>
      jest
        .spyOn(navigator.clipboard, 'writeText')
        .mockRejectedValue(new DOMException('no', 'NotAllowedError')),
  ],
  ['has no clipboard', () => jest.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)],
])('reports that the browser %s', async (_what, forbid) => {
  const { user, fill } = open();
  forbid();
  await user.click(screen.getByRole('button', { name: 'Copy link to these figures' }));
  expect(await screen.findByText('Copying is not allowed here')).toBeVisible();
  // The message was about these figures.
  await fill('Hours per project', '80');
  expect(screen.queryByText('Copying is not allowed here')).not.toBeInTheDocument();
});

test('a link to other figures replaces a pending draft', async () => {
  const { user, fill, settle, address } = open();
  await fill('Hours per project', '70');
  await user.click(screen.getByRole('link', { name: 'Other figures' }));
  settle();
  expect(screen.getByRole('spinbutton', { name: 'Hours per project' })).toHaveValue(200);
  expect(address()).toBe('/agencies?hours=200');
});
