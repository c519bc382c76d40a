/** For hosts of pages: the shell and test helpers. Remotes never import it. */
export { toSiteBrand } from './brand.ts';
export { SectionBoundary } from './section-boundary.tsx';
export { ArrivalContext, SectionFaultContext, SiteContext, VariantContext } from './site-context.ts';
export { StructuredDataContext, type StructuredData } from './structured-data.ts';
export type { GuestView, Observable, SiteServices } from './site-context.ts';
export { StoreRouter, type RouterStore } from './store-router.tsx';
