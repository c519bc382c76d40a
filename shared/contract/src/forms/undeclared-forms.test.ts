import { undeclaredForms } from './undeclared-forms.ts';

const field = (id: string) => `<input type="hidden" name="source_id" value="${id}"/>`;
const mfe = { app: 'mfe-x', declaredForms: [{ id: 'mfe-x/known' }] } as never;

test.each([
  ['a form that is declared', field('mfe-x/known'), []],
  ['one that is not', `<form>${field('mfe-x/known')}${field('mfe-x/other')}</form>`, ['mfe-x/other']],
  ['a form of the site, or of another app', field('newsletter') + field('mfe-y/apply'), []],
  ['another field', '<input name="email" value="mfe-x/other"/>', []],
  // Could be used to keep the registry busy.
  ['a thousand names that lead to no value', `<input class='${' name="source_id"'.repeat(1_000)}'/>`, []],
])('of a page with %s', (_what, html, undeclared) => {
  expect(undeclaredForms(mfe, html)).toEqual(undeclared);
});

test('a version without declarations has no forms of its own', () => {
  expect(undeclaredForms({ app: 'mfe-x' }, field('mfe-x/apply'))).toEqual(['mfe-x/apply']);
});
