import { isAsSent, pageProblemKind } from './sent-document.ts';

const gone = Object.assign(new Error('The node to be removed is not a child.'), { name: 'NotFoundError' });

afterEach(() => {
  delete document.documentElement.dataset['changed'];
  document.body.replaceChildren();
});

test.each([
  ['8 4', '<p>a<!-- -->b <b>c</b></p><input>', true],
  ['8 4', '<p>ab <b>c</b></p><input>', false],
  ['8 4', '<p>a<!-- -->b<b>c</b></p><input>', false],
  ['8 4', '<p>a<!-- -->b <font><b>c</b></font></p><input>', false],
])('a document sent as %j that arrives as %s is unchanged: %j', (sent, html, isUnchanged) => {
  document.body.innerHTML = `<div data-sent="${sent}">${html}</div>`;
  expect(isAsSent(document.body.firstElementChild as HTMLElement)).toBe(isUnchanged);
});

test('in a changed document, mismatches and missing nodes are foreign', () => {
  expect(pageProblemKind('hydration', new Error('no match'))).toBe('hydration');
  document.documentElement.dataset['changed'] = '';
  expect(pageProblemKind('hydration', new Error('no match'))).toBe('foreign');
  expect(pageProblemKind('render', gone)).toBe('foreign');
  expect(pageProblemKind('render', new Error('boom'))).toBe('render');
});

test("a translator's elements are foreign, and the page's own are not", () => {
  document.body.innerHTML = '<font></font>';
  expect(pageProblemKind('render', gone)).toBe('foreign');
  Object.assign(document.body.firstChild!, { __reactFiber$1: {} });
  expect(pageProblemKind('render', gone)).toBe('render');
});
