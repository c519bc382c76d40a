import * as v from 'valibot';
import { isHttpsOrLocal, PagePathSchema, type Preview } from '@site/contract';
import { edgePagePolicy, type EdgePage } from '../pages/edge-page.ts';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import {
  previewConfirmationPage,
  previewProblemPage,
  type PreviewProblem,
} from '../previews/preview-pages.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { SentBody, SignalCounter } from '../signals/count-signals.ts';
import type { VisitorSets } from '../releases/visitor-sets.ts';
import { noPreviewCookie, previewCookie } from './cookies.ts';
import { cookieHeaders, unlisted } from './headers.ts';
import { edgePage, redirect } from './replies.ts';
import type { Headers, Reply } from './reply.ts';
import type { Route } from './route-request.ts';

export interface PreviewReplyOptions {
  releases: Pick<Pick<VisitorSets, 'live'>, 'live'>;
  previews: Pick<PreviewKeeper, 'view'>;
  signals: Pick<SignalCounter, 'previewConfirmation'>;
  now(): number;
}

export interface PreviewReplies {
  /** A link leads to a confirmation page; only its form opens the preview. */
  open(
    route: Extract<Route, { kind: 'open-preview' }>,
    request: RequestHead & { method: string; body(): Promise<SentBody> },
    caller: string,
  ): Promise<Reply>;
  leave(): Reply;
}

export function createPreviewReplies({
  releases,
  previews,
  signals,
  now,
}: PreviewReplyOptions): PreviewReplies {
  return {
    async open({ linkId, path }, request, caller) {
      const isAnswer = request.method === 'POST';
      const origin = releases.live()?.document.release.config.origin;
      // Browsers also keep secure cookies for localhost.
      if (origin !== undefined && !isHttpsOrLocal(new URL(origin))) return previewProblem('insecure');
      const confirmation = signals.previewConfirmation(linkId);
      if (confirmation === null) return previewProblem('unavailable');
      if (isAnswer && !isUserInitiated(request)) return previewProblem('not-pressed');
      const view = await previews.view(linkId, caller);
      if ('problem' in view) return previewProblem(view.problem);
      const { release, preview } = view;
      if (!isAnswer)
        return previewPage(
          previewConfirmationPage(preview, isTopLevel(request) ? confirmation : null),
          unreadable,
        );
      const sent = await request.body();
      if (typeof sent === 'string') return previewProblem('busy');
      if (new URLSearchParams(sent?.toString()).get('confirmation') !== confirmation)
        return previewProblem('not-pressed');
      const seconds = Math.max(1, Math.floor((Date.parse(preview.expiresAt) - now()) / 1000));
      return seeOther(
        v.is(PagePathSchema, path) ? path : firstPage(release, preview),
        previewCookie(linkId, seconds),
      );
    },
    leave: () => seeOther('/', noPreviewCookie()),
  };
}

export function previewProblem(problem: PreviewProblem): Reply {
  return previewPage(previewProblemPage(problem));
}

/** An opaque origin: code of the site that opens this page in a window can neither read it nor press its button. */
const unreadable: Headers = {
  'Content-Security-Policy': `${edgePagePolicy}; sandbox allow-forms`,
  // Browsers refuse sandboxed documents with any other value.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
};

function previewPage(page: EdgePage, more: Headers = {}): Reply {
  return edgePage(page, {
    ...unlisted,
    ...more,
    // Prevents leaking the link and its id. With `no-referrer`, older browsers would not send the form's origin either.
    'Referrer-Policy': 'strict-origin',
  });
}

/** Hides the link's id from the next page, and is not cacheable. */
function seeOther(location: string, cookie: string): Reply {
  return redirect(303, location, { 'Referrer-Policy': 'no-referrer', ...cookieHeaders([cookie]) });
}

/** Of the previewed app. */
function firstPage({ document, redirects }: LoadedRelease, { app }: Preview): string {
  const manifest = document.manifests[`${app}@${document.release.apps[app]}`];
  return (manifest?.kind === 'remote' ? manifest.pages[0]?.path : redirects.get('/')?.to) ?? '/';
}

export interface RequestHead {
  headers: Record<string, unknown>;
}

/**
 * Whether the response is shown in a top-level tab and never readable by a script, which cannot set fetch metadata
 * headers (https://www.w3.org/TR/fetch-metadata). Browsers before 2023 do not send them, and none sends them to
 * http:// origins other than localhost.
 */
function isTopLevel({ headers }: RequestHead): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isUserInitiated(request: RequestHead): boolean {
  return isTopLevel(request) && request.headers['sec-fetch-user'] === '?1';
}
