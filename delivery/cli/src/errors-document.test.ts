import { documentedErrors } from '@site/server/testing/errors-document';
import { cliErrors } from './cli-error.ts';

test('docs/errors.md lists exactly the errors of the command line', () => {
  expect(documentedErrors('Command line')).toEqual(cliErrors);
});
