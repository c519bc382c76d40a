import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { brand } from './brand.ts';
import { useSiteConfig } from './site-context.ts';

export interface PageProps {
  /** The page's own title; the brand's name is added to it. */
  title: string;
  /** One or two sentences for search results and shared links, at most about 160 characters. */
  description: string;
  children: ReactNode;
}

/** Every page's root: its content, and the tags about it that belong into `<head>`. */
export function Page({ title, description, children }: PageProps) {
  const { origin } = useSiteConfig();
  const { pathname } = useLocation();
  const url = origin + (pathname.replace(/\/+$/, '') || '/');
  const fullTitle = `${title} · ${brand.name}`;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {children}
    </>
  );
}
