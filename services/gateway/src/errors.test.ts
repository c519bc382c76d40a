import { documentedErrors } from '@site/server/testing/errors-document';
import { gatewayErrors } from './errors.ts';

test('docs/errors.md lists exactly the errors of the gateway', () => {
  expect(documentedErrors('Gateway')).toEqual(gatewayErrors.table);
});
