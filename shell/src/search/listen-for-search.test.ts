import { userEvent } from '@testing-library/user-event';
import { listenForSearch } from './listen-for-search.ts';

const suggest = jest.fn();
const load = jest.fn(() => Promise.resolve(suggest));
const go = jest.fn();

/** A page with the header's search field, styled by `header`, and further content. */
function show(main = '', header = ''): HTMLInputElement {
  document.body.innerHTML = `<header><form role="search" action="/search">
      <input type="search" name="q" aria-label="Search" ${header}><button>Search</button></form></header><main>${main}</main>`;
  return document.querySelector('header input') as HTMLInputElement;
}

const press = (modifier: 'Control' | 'Meta' = 'Control') =>
  userEvent.keyboard(`{${modifier}>}k{/${modifier}}`);

beforeAll(() => listenForSearch(document, go, load));
afterEach(() => {
  suggest.mockClear();
  load.mockClear();
});

test('Ctrl+K focuses the field and selects its text; its code then loads, once', async () => {
  const field = show();
  field.value = 'before';
  expect(load).not.toHaveBeenCalled();
  await press();
  expect(field).toHaveFocus();
  expect([field.selectionStart, field.selectionEnd, field.value]).toEqual([0, 6, 'before']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(suggest).toHaveBeenCalledWith(field, go);
  field.blur();
  await press();
  expect(load).toHaveBeenCalledTimes(1);
});

test('Cmd+K works too, and with Caps Lock', async () => {
  const field = show();
  await press('Meta');
  expect(field).toHaveFocus();
  field.blur();
  await userEvent.keyboard('{Control>}K{/Control}');
  expect(field).toHaveFocus();
});

test('on the results page its own field gets the focus', async () => {
  show('<form role="search"><input type="search" id="own"></form>');
  await press();
  expect(document.getElementById('own')).toHaveFocus();
});

test.each(['<input id="x">', '<textarea id="x"></textarea>', '<select id="x"><option>k</option></select>'])(
  'in %s the shortcut does nothing',
  async (control) => {
    show(control);
    const written = document.getElementById('x') as HTMLElement;
    written.focus();
    await press();
    expect(written).toHaveFocus();
  },
);

test.each(['/', 'k', '{Alt>}k{/Alt}', '{Control>}{Shift>}k{/Shift}{/Control}', '{Control>}/{/Control}'])(
  '%s does nothing: only Ctrl+K and Cmd+K are shortcuts',
  async (keys) => {
    const field = show();
    await userEvent.keyboard(keys);
    expect(document.body).toHaveFocus();
    expect(field.form).not.toHaveAttribute('data-open');
  },
);

test('an event without a key, as from autofill, does nothing', () => {
  show();
  const onError = jest.fn((event: ErrorEvent) => event.preventDefault());
  window.addEventListener('error', onError);
  document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
  window.removeEventListener('error', onError);
  expect(onError).not.toHaveBeenCalled();
});

test('does nothing behind an open menu', async () => {
  show();
  document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
  await press();
  expect(document.body).toHaveFocus();
});

test('without room for the field, the keys and the button open it as a palette; Escape closes it', async () => {
  const field = show('', 'style="display: none"');
  const submitted = jest.fn((event: Event) => event.preventDefault());
  field.form?.addEventListener('submit', submitted);
  await press();
  expect(field.form).toHaveAttribute('data-open');
  await userEvent.keyboard('{Escape}');
  expect(field).not.toHaveFocus();
  expect(field.form).not.toHaveAttribute('data-open');
  document.querySelector<HTMLElement>('header button')?.click();
  expect(field.form).toHaveAttribute('data-open');
  expect(field).toHaveFocus();
  expect(submitted).not.toHaveBeenCalled();
  await userEvent.keyboard('forms{Enter}');
  expect(submitted).toHaveBeenCalledTimes(1);
});
