import { countryCodes } from '@site/contract/country-codes';
import { countryOptions } from './country-options.data.ts';

test('offers exactly the countries that the service accepts, each once', () => {
  expect(countryOptions.map(({ value }) => value).sort()).toEqual([...countryCodes].sort());
});

test('sorts them by name, as a reader of English looks for them', () => {
  const names = countryOptions.map(({ label }) => label);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
  expect(names.filter((name) => name.length < 4)).toEqual([]);
});
