import { adminErrors } from './admin-access.ts';
import { baseErrors } from './base-errors.ts';
import { accessErrors } from './guest-access.ts';
import { jsonApiErrors } from './json-api-call.ts';
import { documentedErrors } from './testing/errors-document.ts';

test.each([
  ['Every server', baseErrors.table],
  ['Gateway and forms', accessErrors.table],
  ['JSON:API', jsonApiErrors.table],
  ['Administration', adminErrors.table],
])('docs/errors.md lists exactly the errors of "%s"', (heading, table) => {
  expect(documentedErrors(heading)).toEqual(table);
});
