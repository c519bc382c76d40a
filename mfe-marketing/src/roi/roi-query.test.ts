import { initialRoiValues, roiField, roiFieldKeys } from './roi-fields.ts';
import { readRoiQuery, writeRoiQuery } from './roi-query.ts';

const read = (query: string) => readRoiQuery(new URLSearchParams(query));

test('a URL without a query shows the example', () => {
  expect(read('')).toEqual({ values: initialRoiValues, period: 'month', problems: [] });
});

test('reads back the written query', () => {
  const values = { ...initialRoiValues, projects: 6.5, price: 12_000, moreHigh: 4, plan: 0 };
  const query = writeRoiQuery(new URLSearchParams(), values, 'year');
  expect(query.toString()).toBe('projects=6.5&price=12000&more-high=4&plan=0&period=year');
  expect(readRoiQuery(query)).toEqual({ values, period: 'year', problems: [] });
});

test('the example needs no query, and other parameters stay', () => {
  const query = new URLSearchParams('utm_source=home&projects=9');
  expect(writeRoiQuery(query, initialRoiValues, 'month').toString()).toBe('utm_source=home');
});

test.each([
  '',
  ' ',
  'abc',
  '-3',
  '0',
  '201',
  '1e2',
  '0x10',
  'Infinity',
  'NaN',
  '1,5',
  '<script>',
  '9'.repeat(400),
])('projects=%j is reported as invalid and replaced by the example figure', (text) => {
  const { values, problems } = readRoiQuery(new URLSearchParams({ projects: text }));
  expect(values.projects).toBe(initialRoiValues.projects);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(
    /^Projects per month: “.{0,21}” does not work\. Enter a number from 0\.5 to 200\.$/,
  );
});

test('a range with its upper end below the lower one is rejected as a whole', () => {
  const { values, problems } = read('rate-low=50&rate-high=30');
  expect([values.rateLow, values.rateHigh]).toEqual([25, 40]);
  expect(problems).toEqual([
    'Higher rates, at most: “30” does not work. Enter at least 50%, the lower end of this range.',
  ]);
});

test('a range with one invalid end takes both ends from the example', () => {
  const { values } = read('more-low=40&more-high=many');
  expect([values.moreLow, values.moreHigh]).toEqual([2, 3]);
});

test('an unknown period is rejected and valid figures are kept', () => {
  const { values, period, problems } = read('period=decade&hours=80');
  expect(values.hours).toBe(80);
  expect(period).toBe('month');
  expect(problems).toEqual(['Period: “decade” does not work. Use month or year.']);
});

test('every field has an initial value within its limits and a unique name', () => {
  for (const key of roiFieldKeys) {
    const { initial, min, max } = roiField[key];
    expect(initial).toBeGreaterThanOrEqual(min);
    expect(initial).toBeLessThanOrEqual(max);
  }
  expect(new Set(roiFieldKeys.map((key) => roiField[key].name)).size).toBe(roiFieldKeys.length);
});
