import type { SiteConfig } from '@site/contract';
import { toSiteBrand } from './brand.ts';

const config: SiteConfig = {
  origin: 'https://www.acme.test',
  mode: 'staging',
  gateway: { base: '', appId: '' },
  forms: { base: '', appId: '' },
};

test('the application depends on the mode, and the place uses the available fields', () => {
  const brand = {
    name: 'Acme',
    application: { production: 'https://app.acme.test', staging: 'https://app.staging.acme.test' },
    address: { city: 'Denver', region: 'Colorado' },
  };
  expect(toSiteBrand({ ...config, brand })).toMatchObject({
    name: 'Acme',
    application: 'https://app.staging.acme.test',
    place: 'Denver, Colorado',
  });
  expect(toSiteBrand({ ...config, mode: 'production', brand }).application).toBe('https://app.acme.test');
  expect(
    toSiteBrand({ ...config, brand: { name: 'Acme', address: { city: 'Denver', region: '' } } }).place,
  ).toBe('Denver');
});

test('a release without a brand uses its host', () => {
  expect(toSiteBrand(config)).toEqual({ name: 'www.acme.test', application: undefined, place: '' });
});
