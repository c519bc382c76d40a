import { useSyncExternalStore } from 'react';
import { SectionBoundary, StoreRouter } from '@site/kit/host';
import { Layout, partFailed } from '../layout/layout.tsx';
import type { PageLoader } from '../pages/page-loader.ts';
import { RemotePage } from '../pages/remote-page.tsx';
import type { Navigation } from './navigation.ts';

export interface SiteRouterProps {
  navigation: Navigation;
  pages: PageLoader;
}

export function SiteRouter({ navigation, pages }: SiteRouterProps) {
  const getPage = () => navigation.get().page;
  const page = useSyncExternalStore(navigation.subscribe, getPage, getPage);
  return (
    <StoreRouter store={navigation}>
      <Layout>
        {page && (
          <SectionBoundary key={page.id} fallback={partFailed}>
            <RemotePage {...page} pages={pages} />
          </SectionBoundary>
        )}
      </Layout>
    </StoreRouter>
  );
}
