import * as v from 'valibot';
import { parseBody } from './validate.ts';

const schema = v.object({
  name: v.pipe(v.string(), v.maxLength(3)),
  title: v.pipe(v.string(), v.maxLength(3, 'Be brief.')),
  ids: v.array(v.pipe(v.string(), v.length(2))),
  list: v.pipe(v.array(v.number()), v.minLength(2)),
});

test('a length error names the value, its length and the limit, unless the rule has its own message', () => {
  expect(() => parseBody(schema, { name: 'long', title: 'long', ids: ['a'], list: [1] })).toThrow(
    expect.objectContaining({
      fields: [
        { pointer: '/name', detail: '"name" has 4 characters; it must have at most 3.' },
        { pointer: '/title', detail: 'Be brief.' },
        { pointer: '/ids/0', detail: '"ids.0" has 1 character; it must have exactly 2.' },
        { pointer: '/list', detail: '"list" has 1 entry; it must have at least 2.' },
      ],
    }) as Error,
  );
});
