import { withoutTrailingSlashes } from '@site/contract/trailing-slashes';
import { Children, Suspense, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import { useBrand } from './brand.ts';
import { ArrivalContext, useSiteConfig } from './site-context.ts';
import { useLocation } from './store-router.tsx';
import { StructuredDataContext, type StructuredData } from './structured-data.ts';

export interface PageProps {
  /** The page's own title; the brand's name is added to it. */
  title: string;
  /** One or two sentences for search results and shared links, at most about 160 characters. */
  description: string;
  /** What the page is about, for search engines. It must say nothing that the page does not show. */
  structuredData?: readonly StructuredData[];
  /** The parts of the page from top to bottom. The first one, with the heading, should fill a screen: a click shows it first, and the others a moment later. */
  children: ReactNode;
}

/** In the place of what comes a moment later. The layout makes it high, so that nothing from below comes into view. */
const room = <div key="room" data-room />;

/**
 * Every page's root: its content, and the tags about it that belong in `<head>`. The link preview image is not among
 * them: `card` in `remote.config.ts` names it.
 */
export function Page({ title, description, structuredData = [], children }: PageProps) {
  const { origin } = useSiteConfig();
  const { name } = useBrand();
  const { pathname, hash } = useLocation();
  // React hydrates each part by itself: one that is touched at once, the others when nothing else is to be done.
  // The same elements after a navigation within the page: React would discard a part that it cannot hydrate yet.
  const parts = useMemo(
    () => Children.map(Children.toArray(children), (part) => <Suspense>{part}</Suspense>),
    [children],
  );
  const comesInTwo = useContext(ArrivalContext) && parts.length > 1;
  // False once at most. React renders what follows in the background, and any click comes first: one on a link into the page needs it all.
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
