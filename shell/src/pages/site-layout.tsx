import type { ReactNode } from 'react';
import { ScrollRestoration } from 'react-router-dom';
import { Layout } from '../layout/layout.tsx';

/** The layout of every page, with the scroll position restored on back and forward and anchors scrolled to. */
export function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Layout>{children}</Layout>
      <ScrollRestoration />
    </>
  );
}
