import { userEvent } from '@testing-library/user-event';
import { listenForSearch } from './listen-for-search.ts';

const suggest = jest.fn();
const load = jest.fn(() => Promise.resolve(suggest));
const go = jest.fn();

/** A page with the field of the header, which `header` styles, and whatever else. */
function show(main = '', header = ''): HTMLInputElement {
  document.body.innerHTML = `<header><form role="search" action="/search">
      <input type="search" name="q" aria-label="Search" ${header}><button>Search</button></form></header><main>${main}</main>`;
  return document.querySelector('header input') as HTMLInputElement;
}

beforeAll(() => listenForSearch(document, go, load));
afterEach(() => {
  suggest.mockClear();
  load.mockClear();
});

test('/ focuses the field and selects what is in it; its code comes then, and once', async () => {
  const field = show();
  field.value = 'before';
  expect(load).not.toHaveBeenCalled();
  await userEvent.keyboard('/');
  expect(field).toHaveFocus();
  expect([field.selectionStart, field.selectionEnd, field.value]).toEqual([0, 6, 'before']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(suggest).toHaveBeenCalledWith(field, go);
  field.blur();
  await userEvent.keyboard('/');
  expect(load).toHaveBeenCalledTimes(1);
});

test('on the page of results its own field has the focus', async () => {
  show('<form role="search"><input type="search" id="own"></form>');
  await userEvent.keyboard('/');
  expect(document.getElementById('own')).toHaveFocus();
});

test.each(['<input id="x">', '<textarea id="x"></textarea>', '<select id="x"><option>/</option></select>'])(
  'in %s it is a letter',
  async (control) => {
    show(control);
    const written = document.getElementById('x') as HTMLElement;
    written.focus();
    await userEvent.keyboard('/');
    expect(written).toHaveFocus();
  },
);

test('with another key, or behind an open menu, it does nothing', async () => {
  show();
  await userEvent.keyboard('{Control>}/{/Control}');
  await userEvent.keyboard('{Alt>}/{/Alt}');
  expect(document.body).toHaveFocus();
  document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
  await userEvent.keyboard('/');
  expect(document.body).toHaveFocus();
});

test('where there is no room for the field, the page of results is opened', async () => {
  const field = show('', 'style="display: none"');
  const submitted = jest.spyOn(field.form as HTMLFormElement, 'requestSubmit').mockReturnValue();
  await userEvent.keyboard('/');
  expect(submitted).toHaveBeenCalledTimes(1);
});
