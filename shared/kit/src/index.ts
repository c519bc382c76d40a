/** The router's links and hooks: navigation without a reload, to pages of any remote. */
export { useLocation, useNavigate, useSearchParams } from './store-router.tsx';
export { Link, NavLink, type LinkProps } from './link.tsx';
export { useBrand, type SiteBrand } from './brand.ts';
export { Page, type PageProps } from './page.tsx';
export { useGuest, useSiteConfig, useVariant, type GuestView } from './site-context.ts';
export type { StructuredData } from './structured-data.ts';
export type { FormSubmission, SubmitResult } from './submit-form.ts';
export { useSubmitForm } from './use-submit-form.ts';
