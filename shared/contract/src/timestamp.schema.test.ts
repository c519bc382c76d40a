import * as v from 'valibot';
import { TimeSchema, TimestampSchema } from './timestamp.schema.ts';

test.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00+02:00'])(
  '%s is a timestamp',
  (text) => {
    expect(v.is(TimestampSchema, text)).toBe(true);
  },
);

test.each(['2026-01-31T12:00:00+02', '2026-13-31T12:00:00Z', '2026-01-31', 'yesterday'])(
  '%s is not a timestamp',
  (text) => {
    expect(v.is(TimestampSchema, text)).toBe(false);
  },
);

test('the user-facing message contains the text and an example', () => {
  const { issues } = v.safeParse(TimeSchema, '2026-01-31T12:00:00+02');
  expect(issues?.[0].message).toBe(
    '"2026-01-31T12:00:00+02" is not a time: write one such as "2026-01-31T12:00:00Z".',
  );
});
