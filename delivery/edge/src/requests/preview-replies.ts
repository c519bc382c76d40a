import * as v from 'valibot';
import { isHttpsOrLocal, PagePathSchema, type Preview } from '@site/contract';
import { isPressedByAPerson, type RequestHead } from '../previews/pressed-by-a-person.ts';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import type { EdgePage } from '../documents/edge-page.ts';
import { askForPreviewPage, previewProblemPage, type PreviewProblem } from '../previews/preview-pages.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { ShownReleases } from './choose-view.ts';
import { noPreviewCookie, previewCookie } from './cookies.ts';
import { cookieHeaders, unlisted } from './headers.ts';
import { edgePage, redirect } from './replies.ts';
import type { Reply } from './reply.ts';
import type { Route } from './route-request.ts';

export interface PreviewReplyOptions {
  releases: Pick<ShownReleases, 'live'>;
  previews: Pick<PreviewKeeper, 'view'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the two addresses of previews answer. */
export interface PreviewReplies {
  /** A link asks; only the answer on the page that it leads to shows the preview. */
  open(
    route: Extract<Route, { kind: 'open-preview' }>,
    request: RequestHead & { method: string },
    caller: string,
  ): Promise<Reply>;
  leave(): Reply;
}

export function createPreviewReplies({ releases, previews, now }: PreviewReplyOptions): PreviewReplies {
  return {
    async open({ linkId, path }, request, caller) {
      const isAnswer = request.method === 'POST';
      const origin = releases.live()?.document.release.config.origin;
      // Browsers keep secure cookies for this machine's own addresses, too.
      if (origin !== undefined && !isHttpsOrLocal(new URL(origin))) return previewProblem('insecure');
      if (isAnswer && !isPressedByAPerson(request)) return previewProblem('not-pressed');
      const view = await previews.view(linkId, caller);
      if ('problem' in view) return previewProblem(view.problem);
      const { release, preview } = view;
      if (!isAnswer) return previewPage(askForPreviewPage(preview));
      const seconds = Math.max(1, Math.floor((Date.parse(preview.expiresAt) - now()) / 1000));
      return seeOther(
        v.is(PagePathSchema, path) ? path : firstPage(release, preview),
        previewCookie(linkId, seconds),
      );
    },
    leave: () => seeOther('/', noPreviewCookie()),
  };
}

/** A page that says what is wrong with a preview link. */
export function previewProblem(problem: PreviewProblem): Reply {
  return previewPage(previewProblemPage(problem));
}

function previewPage(page: EdgePage): Reply {
  return edgePage(page, {
    ...unlisted,
    // Nobody is told the link and its id. With `no-referrer` older browsers would not say either where a form stands.
    'Referrer-Policy': 'strict-origin',
  });
}

/** The link with its id is not told to the next page, and nobody keeps the answer. */
function seeOther(location: string, cookie: string): Reply {
  return redirect(303, location, { 'Referrer-Policy': 'no-referrer', ...cookieHeaders([cookie]) });
}

/** The first page of the app that the preview is about: that is what its link is shown for. */
function firstPage({ document, redirects }: LoadedRelease, { app }: Preview): string {
  const manifest = document.manifests[`${app}@${document.release.apps[app]}`];
  return (manifest?.kind === 'remote' ? manifest.pages[0]?.path : redirects.get('/')?.to) ?? '/';
}
