import type { ReactElement } from 'react';
import { render, type RenderResult } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Brand, SiteConfig, VariantChoice } from '@site/contract';
import { SiteContext, VariantContext, type GuestView, type SiteServices } from '@site/kit/host';

export const testBrand = {
  name: 'Blocks',
  legalName: 'Blocks, Inc.',
  application: { production: 'https://app.blocks.example', staging: 'https://app.staging.blocks.example' },
  status: 'https://status.blocks.example/',
  support: 'https://help.blocks.example/',
  contact: 'https://contact.blocks.example/',
  documentation: 'https://solutions.blocks.example/',
  social: {
    x: 'https://x.com/blocks.example',
    linkedin: 'https://www.linkedin.com/company/blocks.example',
    instagram: 'https://www.instagram.com/blocks.example',
  },
  email: 'hello@blocks.example',
  phone: '+1 (303) 555-0142',
  address: {
    street: '1 Pearl Street',
    city: 'Boulder',
    region: 'Colorado',
    postalCode: '80302',
    country: 'United States',
  },
  copyrightYear: '2025',
} satisfies Brand;

export const testConfig: SiteConfig = {
  origin: 'https://site.test',
  mode: 'staging',
  gateway: { base: 'https://gateway.test/', appId: 'gateway-app' },
  forms: { base: 'https://forms.test/', appId: 'forms-app' },
  brand: testBrand,
};

export interface RenderPageOptions {
  path?: string;
  variants?: VariantChoice;
  config?: Partial<SiteConfig>;
  guest?: GuestView;
  submitForm?: SiteServices['submitForm'];
}

/**
 * Renders a page (or a part of one) like the shell: with its services, a router and the chosen variants.
 * @example renderPage(<HomePage />, { path: '/home', variants: { headline: 'b' } });
 */
export function renderPage(page: ReactElement, options: RenderPageOptions = {}): RenderResult {
  const { path = '/', variants = {}, config = {}, guest = { guestId: null } } = options;
  const services: SiteServices = {
    config: { ...testConfig, ...config },
    guest: { get: () => guest, subscribe: () => () => undefined },
    submitForm: options.submitForm ?? (() => Promise.resolve({ status: 'accepted' })),
  };
  return render(
    <SiteContext value={services}>
      <VariantContext value={variants}>
        <MemoryRouter initialEntries={[path]}>{page}</MemoryRouter>
      </VariantContext>
    </SiteContext>,
  );
}
