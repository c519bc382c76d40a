import type { ReactElement } from 'react';
import { render, type RenderResult } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { SiteConfig, VariantChoice } from '@site/contract';
import { SiteContext, VariantContext, type GuestView, type SiteServices } from '@site/kit/host';

/** A site that is nowhere: enough for a page to render. */
export const testConfig: SiteConfig = {
  origin: 'https://site.test',
  mode: 'staging',
  gateway: { base: 'https://gateway.test/', appId: 'gateway-app' },
  forms: { base: 'https://forms.test/', appId: 'forms-app' },
};

export interface RenderPageOptions {
  /** Where the visitor is, with query and hash. */
  path?: string;
  variants?: VariantChoice;
  config?: Partial<SiteConfig>;
  guest?: GuestView;
  submitForm?: SiteServices['submitForm'];
}

/**
 * Renders a page (or any part of one) as the shell would: with its services, a router and the variants drawn.
 *
 * @example
 * renderPage(<HomePage />, { path: '/home', variants: { headline: 'b' } });
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
