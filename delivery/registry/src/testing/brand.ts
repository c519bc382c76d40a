import type { Brand } from '@site/contract';

export const fullBrand = {
  name: 'Acme',
  legalName: 'Acme Parts, Inc.',
  application: { production: 'https://app.acme.test', staging: 'https://app.staging.acme.test' },
  status: 'https://status.acme.test/',
  support: 'https://help.acme.test/',
  contact: 'https://contact.acme.test/',
  documentation: 'https://docs.acme.test/',
  social: { x: 'https://x.com/acme', linkedin: '', instagram: '' },
  email: 'hello@acme.test',
  phone: '+1 (303) 555-0100',
  address: { street: '1 Main Street', city: 'Denver', region: 'Colorado', country: 'United States' },
  copyrightYear: '2026',
} satisfies Brand;
