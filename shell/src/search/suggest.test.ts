import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { SearchFound } from '@site/contract/search';
import { suggest } from './suggest.ts';

const go = jest.fn();
const results = [
  { href: '/start#pricing', title: 'Start', heading: 'Plans', text: 'Three plans.' },
  { href: '/blocks', title: 'Blocks', heading: '', text: '<img src=x onerror=alert(1)>' },
];
/** The edge's results by query. */
let answers: Record<string, SearchFound['results']>;
let asked: string[];
let field: HTMLInputElement;
const find = jest.fn((query: string): Promise<SearchFound> => {
  asked.push(query);
  const found = answers[query];
  return found ? Promise.resolve({ query, results: found }) : Promise.reject(new Error('no network'));
});

beforeEach(() => {
  answers = { pl: results, pla: results };
  asked = [];
  go.mockClear();
  Element.prototype.scrollIntoView = () => undefined;
  document.body.innerHTML =
    '<form role="search" action="/search"><input type="search" name="q" aria-label="Search"></form><button>Next</button>';
  field = document.querySelector('input') as HTMLInputElement;
  field.focus();
  suggest(field, go, find);
});

const names = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent);
const type = async (text: string) => {
  await userEvent.type(field, text);
};

test('lists the results as text, and announces their number', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toEqual(['Start › Plans', 'Blocks', 'All results']));
  expect(screen.getByRole('status')).toHaveTextContent('2 results for “pl”');
  expect(screen.getByRole('combobox')).toHaveAttribute('aria-expanded', 'true');
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getAllByRole('option')[1]).toHaveTextContent('<img src=x onerror=alert(1)>');
});

test('groups the results, the best one first and policies last, and marks the matches', async () => {
  const result = (href: string, title: string) => ({
    href,
    title,
    heading: '',
    text: `The plan of ${title}.`,
  });
  answers['plan'] = [
    result('/policies/terms', 'Plans in terms'),
    result('/start', 'Explanations'),
    result('/blocks/forms', 'Forms'),
    result('/developers', 'Developers'),
    result('/cases', 'Plane tickets'),
  ];
  await userEvent.click(field);
  await userEvent.paste('plan');
  await waitFor(() =>
    expect(names()).toEqual([
      ...['Explanations', 'Plane tickets', 'Forms', 'Developers', 'Plans in terms'],
      'All results',
    ]),
  );
  const groups = screen.getAllByRole('group');
  expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual([
    ...['Pages', 'Blocks', 'Docs', 'Policies'],
  ]);
  const marked = [...document.querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marked).toEqual(['plan', 'Plane', 'plan', 'Plane', 'plan', 'plan', 'Plans', 'plan', 'Plans']);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  expect(go).toHaveBeenCalledWith('/blocks/forms');
});

test('the arrow keys cycle through the results and the field; Enter opens, and the field is empty again', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  const chosen = () => screen.getAllByRole('option').map((option) => option.getAttribute('aria-selected'));
  for (const [key, expected] of [
    ['{ArrowDown}', ['true', 'false', 'false']],
    ['{ArrowUp}', ['false', 'false', 'false']],
    ['{ArrowUp}', ['false', 'false', 'true']],
    ['{ArrowDown}', ['false', 'false', 'false']],
    ['{ArrowDown}', ['true', 'false', 'false']],
    ['{ArrowDown}', ['false', 'true', 'false']],
  ] as const) {
    await userEvent.keyboard(key);
    expect([key, chosen()]).toEqual([key, expected]);
  }
  expect(field).toHaveFocus();
  expect(field).toHaveAttribute('aria-activedescendant', 'search-suggestions-1');
  await userEvent.keyboard('{Enter}');
  expect(go).toHaveBeenCalledWith('/blocks');
  expect(screen.queryByRole('option')).toBeNull();
  expect(field).toHaveValue('');
});

test('Escape closes and keeps the words, an arrow key reopens, a focus change closes', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(field).toHaveValue('pl');
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getAllByRole('option')[0]).toHaveAttribute('aria-selected', 'true');
  await userEvent.tab();
  expect(screen.queryByRole('option')).toBeNull();
  expect(field).not.toHaveAttribute('aria-activedescendant');
});

test('a click opens a result, and the field keeps the focus until then', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  await userEvent.click(screen.getAllByRole('option')[2] as HTMLElement);
  expect(go).toHaveBeenCalledWith('/search?q=pl');
});

test('a late answer does not replace a newer one', async () => {
  let answerLate: (found: SearchFound) => void = () => undefined;
  const late = new Promise<SearchFound>((resolve) => (answerLate = resolve));
  find.mockImplementationOnce(() => late);
  answers['pl'] = [];
  await type('pl');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Nothing found for “pl”'));
  answerLate({ query: 'p', results });
  await late;
  await userEvent.keyboard('{ArrowDown}');
  expect(names()).toEqual(['BLOCKS', 'SUPPORT', 'DEVELOPERS']);
});

test('without results, offers pages that answer most questions', async () => {
  answers['xyz'] = [];
  await userEvent.click(field);
  await userEvent.paste('xyz');
  await waitFor(() => expect(names()).toEqual(['BLOCKS', 'SUPPORT', 'DEVELOPERS']));
  expect(screen.getByRole('status')).toHaveTextContent('Nothing found for “xyz”. Check the spelling');
});

test('without an answer nothing is shown, and the same words can be searched again', async () => {
  await userEvent.click(field);
  await userEvent.paste('gone');
  await waitFor(() => expect(asked).toEqual(['gone']));
  expect(screen.queryByRole('option')).toBeNull();
  answers['gone'] = results;
  field.blur();
  field.focus();
  await waitFor(() => expect(names()).toHaveLength(3));
});

test('an empty field shows nothing and sends no request', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  await userEvent.clear(field);
  expect(screen.queryByRole('option')).toBeNull();
  expect(asked.at(-1)).toBe('pl');
});

test('an answer after the field lost focus is requested again, and no old suggestion is shown', async () => {
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  let answer!: (found: SearchFound) => void;
  find.mockImplementationOnce((query) => {
    asked.push(query);
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  await type('a');
  await userEvent.tab();
  answer({ query: 'pla', results });
  await Promise.resolve();
  answers = { pla: results.slice(1) };
  field.focus();
  await waitFor(() => expect(names()).toEqual(['Blocks', 'All results']));
  expect(asked).toEqual(['p', 'pl', 'pla', 'pla']);
});

test('if the edge is overloaded, the same words are requested again', async () => {
  find.mockImplementation((query) => {
    asked.push(query);
    return Promise.resolve({ query, results: [], isBusy: true });
  });
  await type('p');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Too many searches'));
  field.blur();
  field.focus();
  await waitFor(() => expect(asked).toEqual(['p', 'p']));
});

test("a new query clears the selection: Enter submits the field's words", async () => {
  const sent = jest.fn((event: Event) => event.preventDefault());
  field.form?.addEventListener('submit', sent);
  await type('pl');
  await waitFor(() => expect(names()).toHaveLength(3));
  await userEvent.keyboard('{ArrowDown}');
  find.mockImplementationOnce(() => new Promise(() => undefined));
  await type('a');
  expect(field).not.toHaveAttribute('aria-activedescendant');
  await userEvent.keyboard('{Enter}');
  expect(go).not.toHaveBeenCalled();
  expect(sent).toHaveBeenCalledTimes(1);
});
