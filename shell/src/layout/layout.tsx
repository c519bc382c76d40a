import { Suspense, useContext, type ReactNode } from 'react';
import { SectionBoundary } from '@site/kit/host';
import { Button } from '@site/ui/button';
import { NewsletterContext } from '../newsletter/newsletter-context.ts';
import { NewsletterSection } from '../newsletter/newsletter-section.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { mainId } from './main-id.ts';
import { RouteAnnouncer } from './route-announcer.tsx';
import { SkipLink } from './skip-link.tsx';
import styles from './layout.module.css';

/** The layout of every page: header, newsletter, footer. Each hydrates independently, like the parts of a page. */
export function Layout({ children }: { children: ReactNode }) {
  const onSubscribe = useContext(NewsletterContext);
  return (
    <>
      <SkipLink />
      <LayoutPart>
        <Header />
      </LayoutPart>
      <main id={mainId} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <LayoutPart>
        <NewsletterSection onSubscribe={onSubscribe} />
      </LayoutPart>
      <LayoutPart>
        <Footer />
      </LayoutPart>
      <RouteAnnouncer />
    </>
  );
}

function LayoutPart({ children }: { children: ReactNode }) {
  return (
    <SectionBoundary fallback={partFailed}>
      <Suspense>{children}</Suspense>
    </SectionBoundary>
  );
}

export const partFailed = (
  <p className="wrap" role="alert">
    This part of the page failed.{' '}
    <Button size="small" onClick={() => location.reload()}>
      Reload the page
    </Button>
  </p>
);
