import { parseMinutes } from './options.ts';

const day = 24 * 60;
const parse = parseMinutes(7 * day);

test.each([
  ['1m', 1],
  ['90m', 90],
  ['2h', 120],
  ['7d', 7 * day],
  [`${7 * day}m`, 7 * day],
])('%s is a duration', (text, minutes) => {
  expect(parse(text)).toBe(minutes);
});

test.each(['0m', '8d', `${7 * day + 1}m`, '1', 'm', '1.5h', '-1m', ' 1m', '1m ', '1mm', '0000001m'])(
  '"%s" is rejected, and the message names the maximum',
  (text) => {
    expect(() => parse(text)).toThrow('such as 30m, 1h or 7d; at most 7d.');
  },
);
