import * as v from 'valibot';

const isParseable = (text: string) => !Number.isNaN(Date.parse(text));

/** Such as `2026-01-31T12:00:00Z`. */
export const TimestampSchema = v.pipe(v.string(), v.isoTimestamp(), v.check(isParseable));

const describe = ({ received }: { received: string }) =>
  `${received} is not a time: write one such as "2026-01-31T12:00:00Z".`;

export const TimeSchema = v.pipe(v.string(), v.isoTimestamp(describe), v.check(isParseable, describe));
