import * as v from 'valibot';
import { BrandSchema, brandProblems, type Brand } from './brand.schema.ts';

const full: Brand = {
  name: 'Acme',
  legalName: 'Acme Parts, Inc.',
  application: { production: 'https://app.acme.test', staging: 'https://app.staging.acme.test' },
  status: 'https://status.acme.test/',
  support: 'https://help.acme.test/',
  contact: 'https://contact.acme.test/',
  documentation: 'https://docs.acme.test/',
  social: { x: 'https://x.com/acme' },
  email: 'hello@acme.test',
  phone: '+1 (303) 555-0100',
  address: { street: '1 Main Street', city: 'Denver', country: 'United States' },
  copyrightYear: '2019–2026',
};

const wrongIn = (brand: unknown) =>
  v.safeParse(BrandSchema, brand).issues?.map((issue) => v.getDotPath(issue)) ?? [];

test('a brand requires only a name; other fields may be missing or empty', () => {
  expect(wrongIn({ name: 'Acme' })).toEqual([]);
  expect(wrongIn({ name: 'Acme', email: '', phone: '', status: '', social: {}, copyrightYear: '' })).toEqual(
    [],
  );
  expect(wrongIn({})).toEqual(['name']);
  expect(wrongIn({ name: ' ' })).toEqual(['name']);
});

test.each([
  ['status', 'javascript:alert(1)'],
  ['support', 'help.acme.test'],
  ['contact', 'https://acme.test/\nx'],
  ['documentation', 'https://docs.acme.test'],
  ['email', 'hello@acme.test?cc=me@else.test'],
  ['phone', '555-0100; ext'],
  ['copyrightYear', 'since ever'],
  ['twitter', 'https://x.com/acme'],
])('%s is not %j', (field, value) => {
  expect(wrongIn({ name: 'Acme', [field]: value })).toEqual([field]);
});

test('the application is an origin: paths are appended to it', () => {
  expect(wrongIn({ name: 'Acme', application: { production: 'https://app.acme.test/' } })).toEqual([
    'application.production',
  ]);
});

test('a complete brand is valid in production', () => {
  expect(wrongIn(full)).toEqual([]);
  expect(brandProblems(full)).toEqual([]);
});

test('production names every field that is empty or under .example', () => {
  expect(
    brandProblems({
      ...full,
      legalName: '',
      email: 'hello@acme.example',
      social: { x: '', linkedin: 'https://www.linkedin.com/company/acme.EXAMPLE' },
      address: { city: 'Denver', country: 'United States' },
    }),
  ).toEqual([
    'legalName is empty',
    'social.linkedin is under .example ("https://www.linkedin.com/company/acme.EXAMPLE")',
    'email is under .example ("hello@acme.example")',
    'address.street is empty',
  ]);
  expect(brandProblems(undefined)).toHaveLength(15);
});

test.each(['https://help.example-parts.test/', 'https://help.example.test/'])(
  '%s is not under .example',
  (support) => {
    expect(brandProblems({ ...full, support })).toEqual([]);
  },
);

test.each(['https://help.example', 'https://help.example:8443/', 'https://help.example./'])(
  '%s is under .example',
  (support) => {
    expect(brandProblems({ ...full, support })).toHaveLength(1);
  },
);
