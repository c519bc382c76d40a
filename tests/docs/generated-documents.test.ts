import { generate, generatedDocuments } from './generated-documents.ts';
import { readText } from './read-documents.ts';

test.each(Object.keys(generatedDocuments) as (keyof typeof generatedDocuments)[])(
  '%s matches the code ("npm run docs:generate" updates it)',
  async (path) => {
    expect(readText(path)).toBe(await generate(path));
  },
);
