import { documentedErrors } from '@site/server/testing/errors-document';
import { formsErrors } from './errors.ts';

test('docs/errors.md lists exactly the errors of the forms service', () => {
  expect(documentedErrors('Forms')).toEqual(formsErrors.table);
});
