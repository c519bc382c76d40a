import { Suspense, useContext, type ReactNode } from 'react';
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
      <Suspense>
        <Header />
      </Suspense>
      <main id={mainId} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Suspense>
        <NewsletterSection onSubscribe={onSubscribe} />
      </Suspense>
      <Suspense>
        <Footer />
      </Suspense>
      <RouteAnnouncer />
    </>
  );
}
