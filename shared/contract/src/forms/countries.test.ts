import { countries } from './countries.ts';

const names = Object.values(countries);

test('lists each country of ISO 3166-1 once, and Kosovo', () => {
  expect(Object.keys(countries)).toHaveLength(250);
  expect(countries.XK).toBe('Kosovo');
  expect(Object.keys(countries).filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('sorts them by their English names', () => {
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
  expect(names.filter((name) => name.length < 4)).toEqual([]);
});
