import { Component, useEffect, useInsertionEffect, useState, type ReactNode } from 'react';
import type { BootRoute, VariantChoice } from '@site/contract';
import { ArrivalContext, SectionFaultContext, VariantContext } from '@site/kit/host';
import { forgetTyped } from '../boot/sent-document.ts';
import { ErrorPanel } from './error-panel.tsx';
import type { LoadedPage, PageLoader } from './page-loader.ts';
import { showStyles } from './stylesheet-swap.ts';

export interface RemotePageProps {
  route: BootRoute;
  pages: PageLoader;
  variants: VariantChoice;
  fromTop: boolean;
}

export function RemotePage({ route, pages, variants, fromTop }: RemotePageProps) {
  const [page, setPage] = useState<LoadedPage>(
    () =>
      pages.peek(route) ?? {
        status: 'failed',
        error: null,
      },
  );
  const [busy, setBusy] = useState(false);
  useInsertionEffect(() => showStyles(route.remote), [route.remote]);
  // Constant: React discards markup that it has not hydrated when a context above it changes.
  const [report] = useState(() => (error: unknown) => pages.report(route, error));
  useEffect(() => forgetTyped, []);

  async function retry() {
    setBusy(true);
    setPage(await pages.retry(route));
    setBusy(false);
  }

  async function fallBack(error: unknown, build: 'live' | 'last-good') {
    setPage(build === 'live' ? await pages.fallBack(route, error) : { status: 'failed', error });
  }

  if (page.status === 'failed')
    return <ErrorPanel onRetry={() => void retry()} busy={busy} fault={page.fault} />;
  const Page = page.component;
  return (
    <RenderBoundary key={page.build} onError={(error) => void fallBack(error, page.build)}>
      <VariantContext value={variants}>
        <ArrivalContext value={fromTop}>
          <SectionFaultContext value={report}>
            <Page />
          </SectionFaultContext>
        </ArrivalContext>
      </VariantContext>
    </RenderBoundary>
  );
}

/** Catches a page's rendering error, renders nothing and calls `onError`, which replaces the page. */
class RenderBoundary extends Component<{ children: ReactNode; onError(error: unknown): void }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
