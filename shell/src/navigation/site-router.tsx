import { useSyncExternalStore } from 'react';
import { Router } from 'react-router-dom';
import { Layout } from '../layout/layout.tsx';
import type { PageLoader } from '../pages/page-loader.ts';
import { RemotePage } from '../pages/remote-page.tsx';
import type { Navigation } from './navigation.ts';

export interface SiteRouterProps {
  navigation: Navigation;
  pages: PageLoader;
}

/** The layout around the page that the visitor has opened. */
export function SiteRouter({ navigation, pages }: SiteRouterProps) {
  const { location, action, page } = useSyncExternalStore(
    navigation.subscribe,
    navigation.get,
    navigation.get,
  );
  return (
    <Router location={location} navigationType={action} navigator={navigation.navigator}>
      <Layout>{page && <RemotePage key={page.id} {...page} pages={pages} />}</Layout>
    </Router>
  );
}
