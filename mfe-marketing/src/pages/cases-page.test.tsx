import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from '@site/kit';
import { renderPage, testBrand } from '@site/testing/render-page';
import CasesPage from './cases-page.tsx';

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

beforeAll(() => import('../cases/build-stories.tsx'));

const open = (path = '/cases') =>
  act(() =>
    Promise.resolve(
      renderPage(
        <>
          <CasesPage />
          <Address />
        </>,
        { path },
      ),
    ),
  );
const stories = () => screen.getAllByRole('article').map((story) => story.querySelector('h3')?.textContent);
const address = () => screen.getByTestId('address').textContent;

test('initially shows both stories, each with a link to its page on the solutions site', async () => {
  await open();
  expect(stories()).toHaveLength(2);
  for (const story of screen.getAllByRole('article')) {
    expect(story.querySelector('a')?.href).toMatch(new RegExp(`^${testBrand.documentation}[a-z-]+$`));
    expect(story).not.toHaveTextContent(/example scenario|sample/i);
  }
  expect(screen.getByText('Sample builds')).toBeVisible();
});

test("shows each step's hours and calls, and the sums that the results state", async () => {
  await open();
  const [agency, startup] = screen.getAllByRole('article').map((story) => {
    const hours = [...story.querySelectorAll('ol > li')].map((step) => ({
      hours: Number(/(\d+) hours/.exec(step.textContent)?.[1]),
      calls: [...step.querySelectorAll('code')].map((call) => call.textContent),
    }));
    for (const { calls } of hours) expect(calls.join(' ')).toMatch(/^(GET|POST|PUT) \//);
    const [, sum, instead] = /(\d+) (?:backend )?hours instead of (\d+)/
      .exec(within(story).getByText(/hours instead of/).textContent)!
      .map(Number);
    expect(hours.reduce((all, step) => all + step.hours, 0)).toBe(sum);
    return 1 - sum! / instead!;
  });
  expect(agency).toBeCloseTo(0.6);
  expect(startup).toBeCloseTo(0.8);
});

test('filters with the keyboard and keeps the filter in the URL, next to other parameters', async () => {
  await open('/cases?utm_source=home');
  const user = userEvent.setup();
  screen.getByRole('radio', { name: 'All' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(stories()).toEqual(['One base for every client portal']);
  expect(address()).toBe('/cases?utm_source=home&filter=digital-agency');
  expect(screen.getByText('1 story')).toBeVisible();
  await user.keyboard('{ArrowLeft}');
  expect(stories()).toHaveLength(2);
  expect(address()).toBe('/cases?utm_source=home');
});

test("starts with the URL's filter", async () => {
  await open('/cases?filter=digital-agency');
  expect(screen.getByRole('radio', { name: 'Digital Agency' })).toBeChecked();
  expect(stories()).toHaveLength(1);
});

test.each(['startup', '', '<b>', 'DIGITAL-AGENCY'])(
  'shows all stories for the unknown filter %j',
  async (filter) => {
    await open(`/cases?filter=${encodeURIComponent(filter)}`);
    expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
    expect(stories()).toHaveLength(2);
  },
);
