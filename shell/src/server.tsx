import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import type { ComponentType } from 'react';
import * as kit from '@site/kit';
import { StructuredDataContext } from '@site/kit/host';
import type { BootRoute, RenderedPage, RenderRequest, ShellServerBundle } from '@site/contract';
import { createStillNavigation } from './navigation/navigation.ts';
import { SiteRouter } from './navigation/site-router.tsx';
import type { PageLoader } from './pages/page-loader.ts';
import { renderMarkup } from './server/render-markup.ts';
import { splitHead } from './server/split-head.ts';
import { createStructuredData } from './server/structured-data.ts';
import { SiteApp } from './site-app.tsx';

export const shared: ShellServerBundle['shared'] = {
  react,
  'react/jsx-runtime': jsxRuntime,
  '@site/kit': kit,
};

export async function render(request: RenderRequest): Promise<RenderedPage> {
  const { path, config } = request;
  const route: BootRoute = { path, remote: '', module: '' };
  const component = request.component as ComponentType;
  const navigation = createStillNavigation(route, request.variants, config.origin);
  const structuredData = createStructuredData(config);

  const markup = await renderMarkup(
    <SiteApp
      services={{
        config,
        guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
        submitForm: notHere,
      }}
      subscribeToNewsletter={notHere}
    >
      <StructuredDataContext value={structuredData.add}>
        <SiteRouter navigation={navigation} pages={staticPage(component)} />
      </StructuredDataContext>
    </SiteApp>,
  );
  const { head, html } = splitHead(markup);
  return { head: head + structuredData.markup(), html };
}

function staticPage(component: ComponentType): PageLoader {
  const page = { status: 'ready', component, build: 'live' } as const;
  const load = () => Promise.resolve(page);
  return {
    load,
    ahead: () => undefined,
    fallBack: (_route, error) => Promise.resolve({ status: 'failed', error }),
    report: () => undefined,
    retry: load,
    peek: () => page,
  };
}

function notHere(): never {
  throw new Error('Nothing is sent while a page is rendered ahead of time.');
}
