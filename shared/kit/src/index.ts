export { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
export { brand } from './brand.ts';
export { Link, NavLink, type LinkProps, type NavLinkProps } from './link.tsx';
export { Page, type PageProps } from './page.tsx';
export { useGuest, useSiteConfig, useVariant, type GuestView } from './site-context.ts';
export type { FormSubmission, SubmitResult } from './submit-form.ts';
export { useSubmitForm } from './use-submit-form.ts';
