import { errorsDocument } from './errors-document.ts';
import { textOf } from './read-documents.ts';

test('docs/errors.md lists the errors of the code ("npm run docs:errors" updates it)', async () => {
  expect(textOf('docs/errors.md')).toBe(await errorsDocument());
});
