import { documentedErrors } from '@site/server/testing/errors-document';
import { registryErrors } from './registry-errors.ts';

test('docs/errors.md lists exactly the errors of the registry', () => {
  expect(documentedErrors('Registry')).toEqual(registryErrors.table);
});
