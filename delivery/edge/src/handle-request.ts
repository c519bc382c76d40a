import {
  assetUrl,
  drawVariants,
  PagePathSchema,
  RELEASE_FOLDER,
  variantKey,
  type ChannelState,
  type Preview,
} from '@site/contract';
import * as v from 'valibot';
import { networkOf } from '@site/server/client-address';
import { loggedPath, requestIdOf, type AccessEntry, type AccessLog } from './access-log.ts';
import type { AssetArchive } from './asset-archive.ts';
import { plainBody } from './body.ts';
import { seesCandidate, type Canary } from './canary.ts';
import { isDocument, isDownload } from './content-type.ts';
import { bucketCookie, noPreviewCookie, previewCookie, readCookies } from './cookies.ts';
import { edgePage } from './edge-page.ts';
import type { EdgeRequest, EdgeResponse } from './listen.ts';
import type { Asset, LiveRelease, ServedFile } from './load-release.ts';
import { messageOf, type EdgeLog } from './log.ts';
import type { EdgeMetrics } from './metrics.ts';
import type { PreviewKeeper } from './preview-keeper.ts';
import { askForPreviewPage, previewProblemPage } from './preview-pages.ts';
import { isPressedByAPerson } from './pressed-by-a-person.ts';
import { routeRequest, type Answer } from './route-request.ts';
import { integrityPolicy, sandboxed } from './security-headers.ts';
import { send, type Reply } from './send.ts';
import { stateAnswer } from './state-answer.ts';

export interface HandlerOptions {
  current(): LiveRelease | null;
  candidate(): Canary | null;
  /** What the registry told last of the channel. */
  told(): ChannelState | null;
  /** Whether a load balancer should send visitors here. */
  isReady(): boolean;
  archive: AssetArchive;
  previews: PreviewKeeper;
  /** In [0, 1). */
  random(): number;
  drawBucket(): number;
  /** Who is calling. */
  addressOf(request: EdgeRequest): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** An answer that its reader has not taken by then is cut off. */
  sendWithinMs: number;
  /** As given to `send`. */
  hintsOverHttp1: boolean;
  log: EdgeLog;
  /** Null: none is kept. */
  accessLog: AccessLog | null;
  metrics: EdgeMetrics;
}

/** What a visitor gets to see, and what the answer must say about it. */
interface View {
  live: LiveRelease | null;
  cohort: 'stable' | 'candidate' | 'preview';
  /** True when another visitor may get something else at the same address. */
  isPersonal: boolean;
  cookies: string[];
  /** The visitor came with a preview that is over. */
  hasLostPreview?: true;
  /** The visitor has a preview that cannot be shown right now: not what everyone gets, unmarked, in its place. */
  isUnavailable?: true;
}

/** Logged for a visitor who left before there was an answer, as others do who have no status for it. */
const LEFT = 499;
const personal = { 'Cache-Control': 'private, no-store', Vary: 'Cookie' };
const emptyBody = plainBody('');
const tables = assetUrl(RELEASE_FOLDER, '');

/** Answers every request that a visitor can make. Never throws. */
export function createRequestHandler(
  options: HandlerOptions,
): (request: EdgeRequest, response: EdgeResponse) => Promise<void> {
  const { current, candidate, archive, previews, random, log, accessLog, metrics } = options;

  return async (request, response) => {
    const startedAt = performance.now();
    // Nothing here reads a request body; what is sent anyway is thrown away.
    request.resume();
    const target = request.url ?? '/';
    let kind = 'error';
    let answer: Answer | null = null;
    const pathFor = (status: number) => (answer ? loggedPath(target, answer, status) : '*');
    let view: View = { live: current(), cohort: 'stable', isPersonal: false, cookies: [] };
    let reply: Reply;
    let sent: Pick<AccessEntry, 'status' | 'bytes' | 'path'> | null = null;
    const watched = watch(request, response, startedAt, () => ({
      ...(sent ?? { status: LEFT, bytes: 0, path: pathFor(LEFT) }),
      kind,
      release: view.live?.id ?? null,
    }));
    try {
      // Files are the same for everyone: their names tell them apart. But a table is known with its release only, and
      // a preview whose page came from another edge may not be here yet.
      if (!target.startsWith('/assets/') || target.startsWith(tables)) view = await viewOf(request);
      const draw = (variants: Parameters<typeof drawVariants>[0]) =>
        variantKey(drawVariants(variants, random));
      answer = routeRequest(target, view.live, draw);
      const allowed = answer.kind === 'open-preview' ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
      if (allowed.includes(request.method ?? '')) {
        kind = answer.kind;
        reply = await replyTo(answer, view, request);
      } else {
        kind = 'method-not-allowed';
        reply = text(405, `This address answers ${allowed.join(', ')} only.`, {
          Allow: allowed.join(', '),
        });
      }
      if (kind === 'document') metrics.documentShown(view.cohort);
    } catch (error) {
      log.error({ path: pathFor(500), problem: messageOf(error) }, 'a request failed');
      reply = text(500, 'Something went wrong here. Please try again.');
    }
    if (watched.hasLeft()) return;
    // What everyone may keep says nothing of this visitor.
    const isShared = String(reply.headers['Cache-Control']).startsWith('public');
    if ((view.cohort === 'preview' && !isShared) || view.live?.unlisted)
      response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    try {
      sent = { ...send(request, response, reply, options.hintsOverHttp1), path: pathFor(reply.status) };
      metrics.answered(kind, sent.status, sent.bytes);
      watched.sending();
    } catch (error) {
      log.error({ path: pathFor(500), problem: messageOf(error) }, 'an answer could not be sent');
      response.destroy();
    }
  };

  /**
   * From the first moment on, because a visitor can leave while something is looked up for them, until the answer has
   * left: for how long, and whether its reader takes it at all.
   *
   * @param describe what the visitor was sent by then.
   */
  function watch(
    request: EdgeRequest,
    response: EdgeResponse,
    startedAt: number,
    describe: () => Pick<AccessEntry, 'status' | 'bytes' | 'kind' | 'path' | 'release'>,
  ): { hasLeft(): boolean; sending(): void } {
    let isComplete = false;
    let isOver = false;
    let cut: NodeJS.Timeout | undefined;
    response.once('finish', () => {
      isComplete = true;
      // Node lets go of the connection before its bytes have left: `finish` says that they have.
      clearTimeout(cut);
    });
    response.once('close', () => {
      isOver = true;
      clearTimeout(cut);
      const ms = performance.now() - startedAt;
      metrics.took(ms);
      accessLog?.add({
        id: requestIdOf(request),
        method: request.method ?? '',
        ...describe(),
        ms: Math.round(ms * 100) / 100,
        complete: isComplete,
      });
    });
    return {
      hasLeft: () => isOver,
      sending() {
        cut = setTimeout(() => {
          metrics.answerCut();
          request.socket.destroy();
        }, options.sendWithinMs).unref();
      },
    };
  }

  /** A preview before a canary before the stable release. */
  async function viewOf(request: EdgeRequest): Promise<View> {
    const stable = current();
    const cookies = readCookies(request.headers.cookie);
    if (cookies.preview !== null && stable) {
      const preview = await previews.view(cookies.preview, callerOf(request));
      const marked = { cohort: 'preview' as const, isPersonal: true, cookies: [] };
      if ('live' in preview) return { live: preview.live, ...marked };
      if (preview.problem === 'unavailable') return { live: null, ...marked, isUnavailable: true };
      // Its link is over: from here on the visitor gets what everyone gets.
      const view = canaryView(stable, cookies.bucket);
      return {
        ...view,
        isPersonal: true,
        hasLostPreview: true,
        cookies: [noPreviewCookie(), ...view.cookies],
      };
    }
    return canaryView(stable, cookies.bucket);
  }

  function canaryView(stable: LiveRelease | null, known: number | null): View {
    const canary = candidate();
    if (!canary) return { live: stable, cohort: 'stable', isPersonal: false, cookies: [] };
    const bucket = known ?? options.drawBucket();
    const isSeen = seesCandidate(bucket, canary.share);
    return {
      live: isSeen ? canary.live : stable,
      cohort: isSeen ? 'candidate' : 'stable',
      isPersonal: true,
      cookies: known === null ? [bucketCookie(bucket, isSecure())] : [],
    };
  }

  /** Whom limits count as one. */
  function callerOf(request: EdgeRequest): string {
    return networkOf(options.addressOf(request));
  }

  function isSecure(): boolean {
    return current()?.document.release.config.origin.startsWith('https:') ?? true;
  }

  async function replyTo(answer: Answer, view: View, request: EdgeRequest): Promise<Reply> {
    switch (answer.kind) {
      case 'document':
        return {
          status: 200,
          body: answer.document.body,
          headers: {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': answer.document.csp,
            ...(answer.document.hasIntegrity ? integrityPolicy : {}),
            // A drawn page is drawn anew for each load, so nobody may keep it.
            'Cache-Control': answer.drawn ? 'private, no-store' : 'no-cache',
            ...(view.isPersonal ? personal : {}),
            ...(view.cookies.length > 0 ? { 'Set-Cookie': view.cookies } : {}),
          },
          revalidates: !answer.drawn && !view.isPersonal,
          links: answer.document.links,
        };
      case 'redirect':
        return {
          status: answer.status,
          body: emptyBody,
          headers: {
            Location: answer.location,
            // Asked for anew each time: a rollback must take a wrong one back at once.
            'Cache-Control': answer.status === 308 ? 'no-cache' : 'no-store',
            ...(view.isPersonal ? personal : {}),
          },
        };
      case 'asset':
        return immutable(answer.asset);
      case 'root-file': {
        // What everyone may keep is the same for everyone.
        const shared = current()?.rootFiles.get(answer.path);
        if (shared) return file(shared, 'public, max-age=3600');
        const own = file(answer.file, personal['Cache-Control']);
        return { ...own, headers: { ...own.headers, ...personal }, revalidates: false };
      }
      case 'old-asset':
        return oldAsset(answer.app, answer.path, request);
      case 'state':
        return json(
          stateAnswer(
            options.told(),
            (view.live ?? current())?.id ?? null,
            answer.query,
            view.hasLostPreview,
          ),
        );
      case 'open-preview':
        return openPreview(answer.linkId, answer.path, request);
      case 'leave-preview':
        return {
          ...seeOther('/'),
          headers: { ...seeOther('/').headers, 'Set-Cookie': noPreviewCookie() },
        };
      case 'ready':
        return options.isReady() ? text(200, 'ready') : text(503, 'not ready yet');
      case 'bad-request':
        return text(400, 'This address is not written correctly.');
      case 'not-found':
        return text(404, 'There is no such file.');
      case 'no-release':
        return view.isUnavailable ? previewProblemPage('unavailable') : startingPage;
    }
  }

  /** A link asks; only the answer on the page that it leads to shows the preview. */
  async function openPreview(linkId: string, path: string | null, request: EdgeRequest): Promise<Reply> {
    const isAnswer = request.method === 'POST';
    const origin = current()?.document.release.config.origin;
    if (origin !== undefined && !keepsSecureCookies(origin)) return previewProblemPage('insecure');
    if (isAnswer && !isPressedByAPerson(request)) return previewProblemPage('not-pressed');
    const view = await previews.view(linkId, callerOf(request));
    if ('problem' in view) return previewProblemPage(view.problem);
    const { live, preview } = view;
    if (!isAnswer) return askForPreviewPage(preview);
    const reply = seeOther(v.is(PagePathSchema, path) ? path : firstPage(live, preview));
    const seconds = Math.max(1, Math.floor((Date.parse(preview.expiresAt) - options.now()) / 1000));
    return { ...reply, headers: { ...reply.headers, 'Set-Cookie': previewCookie(linkId, seconds) } };
  }

  async function oldAsset(app: string, path: string, request: EdgeRequest): Promise<Reply> {
    const url = `/assets/${app}/${path}`;
    const other = current()?.assets.get(url) ?? candidate()?.live.assets.get(url) ?? previews.asset(url);
    if (other) return immutable(other);
    try {
      const asset = await archive.find(app, path, callerOf(request));
      if (asset) return immutable(asset);
      return text(404, 'There is no such file.');
    } catch (error) {
      log.warn({ app, path, problem: messageOf(error) }, 'cannot tell whether a file exists');
      return text(503, 'This file is not available right now. Please try again.', {
        'Retry-After': '5',
      });
    }
  }
}

/** Browsers count this machine's own addresses as secure. */
function keepsSecureCookies(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The first page of the app that the preview is about: that is what its link is shown for. */
function firstPage({ document, redirects }: LiveRelease, { app }: Preview): string {
  const manifest = document.manifests[`${app}@${document.release.apps[app]}`];
  return (manifest?.kind === 'remote' ? manifest.pages[0]?.path : redirects.get('/')?.to) ?? '/';
}

/** The link with its id is not told to the next page, and nobody keeps the answer. */
function seeOther(location: string): Reply {
  return {
    status: 303,
    body: emptyBody,
    headers: { Location: location, 'Referrer-Policy': 'no-referrer' },
  };
}

function immutable(asset: Asset): Reply {
  return { ...file(asset, 'public, max-age=31536000, immutable'), hasRanges: true };
}

function file({ body, contentType }: ServedFile, cacheControl: string): Reply {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': cacheControl,
      ...(isDownload(contentType) ? { 'Content-Disposition': 'attachment' } : {}),
      ...(isDocument(contentType) ? { 'Content-Security-Policy': sandboxed } : {}),
      // Other sites may show our images (link previews), and nothing else.
      ...(contentType.startsWith('image/') ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
    },
    revalidates: true,
  };
}

function text(status: number, message: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    body: plainBody(`${message}\n`),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  };
}

function json(value: unknown): Reply {
  return {
    status: 200,
    body: plainBody(JSON.stringify(value)),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

const startingPage = edgePage({
  status: 503,
  title: 'One moment',
  html: '<p>The site is starting. This page tries again every five seconds.</p>',
  reloadAfter: 5,
  headers: { 'Retry-After': '5' },
});
