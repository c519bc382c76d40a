import { withoutTrailingSlashes } from '@site/contract/urls';
import { Children, Suspense, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import { useBrand } from './brand.ts';
import { SectionBoundary } from './section-boundary.tsx';
import { ArrivalContext, useSiteConfig } from './site-context.ts';
import { useLocation } from './store-router.tsx';
import { StructuredDataContext, type StructuredData } from './structured-data.ts';

export interface PageProps {
  /** The page's own title; the brand's name is appended. */
  title: string;
  /** One or two sentences for search results and link previews, at most about 160 characters. */
  description: string;
  /** Structured data for search engines. Must contain nothing that the page does not show. */
  structuredData?: readonly StructuredData[];
  /**
   * The parts of the page from top to bottom. The first one, with the heading, should fill a screen: after a
   * click it is shown first, and the others a moment later.
   */
  children: ReactNode;
}

/** Reserves space for the later parts. The layout makes it high, so that nothing below becomes visible. */
const room = <div key="room" data-room />;

/**
 * Every page's root: its content and its tags for `<head>`. The link preview image is set by `card` in
 * `remote.config.ts`.
 */
export function Page({ title, description, structuredData = [], children }: PageProps) {
  const { origin } = useSiteConfig();
  const { name } = useBrand();
  const { pathname, hash } = useLocation();
  // React hydrates each part separately: on interaction, or when idle. Memoized, because React would discard
  // a part that it cannot hydrate yet if its element changed.
  const parts = useMemo(
    () =>
      Children.map(Children.toArray(children), (part) => (
        <SectionBoundary>
          <Suspense>{part}</Suspense>
        </SectionBoundary>
      )),
    [children],
  );
  const comesInTwo = useContext(ArrivalContext) && parts.length > 1;
  // False at most once. React renders the rest in the background, and clicks take priority; a link to an
  // anchor needs the whole page.
  const isWhole = useDeferredValue(true, !comesInTwo) || hash !== '';
  const tell = useContext(StructuredDataContext);
  tell?.(structuredData);
  const url = origin + (withoutTrailingSlashes(pathname) || '/');
  const fullTitle = `${title} · ${name}`;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {isWhole ? parts : [parts[0], room]}
    </>
  );
}
