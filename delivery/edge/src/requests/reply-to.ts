import { type ChannelState, mustLeave, type ReleaseDocument, setId } from '@site/contract';
import { answerStatus } from '@site/contract/http';
import { TOKEN_TIMING } from '@site/contract/signals/report-limits';
import type { StateAnswer } from '@site/contract/urls';
import { BusyError } from '@site/server/turns';
import { findFile, type AssetArchive } from '../archive/asset-archive.ts';
import { derived } from '../files/derived.ts';
import type { EncodedBody } from '@site/server/encoded-body';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import type { PageDocument } from '../releases/loaded-release.ts';
import type { SentBody, SignalCounter } from '../signals/count-signals.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import { createCheckedPages } from './checked-page.ts';
import type { VisitorSets } from '../releases/visitor-sets.ts';
import type { View } from './choose-view.ts';
import { documentHeaders, fileCaches, isUnlisted, personalHeaders, unlisted } from './headers.ts';
import { createPreviewReplies, previewProblem } from './preview-replies.ts';
import {
  file,
  goneReply,
  immutable,
  json,
  noSuchFile,
  redirect,
  refusedScriptReply,
  sharedFile,
  sharedReply,
  startingPage,
  tableReply,
  taken,
  text,
  unavailable,
} from './replies.ts';
import { kept, type Reply } from './reply.ts';
import type { Route } from './route-request.ts';
import { createSearchReplies } from './search-replies.ts';

export interface ReplyOptions {
  releases: VisitorSets;
  channelState(): ChannelState | null;
  isReady(): boolean;
  recent(): ReleaseDocument[];
  archive: Pick<AssetArchive, 'find'>;
  previews: PreviewKeeper;
  signals: Pick<SignalCounter, 'token' | 'tokenFor' | 'take' | 'takeBrowserReports' | 'previewConfirmation'>;
  now(): number;
  log: EdgeLog;
}

export interface ReplyContext {
  view: View;
  caller(): string;
  request: { method: string; headers: Record<string, unknown>; body(): Promise<SentBody> };
}

export function createReplier(
  options: ReplyOptions,
): (route: Route, context: ReplyContext) => Reply | Promise<Reply> {
  const { releases, channelState, isReady, recent, archive, previews, signals, log } = options;
  const previewReplies = createPreviewReplies(options);
  const searchReplies = createSearchReplies(options);
  const checkedPage = createCheckedPages(options);

  /** A file that is not in the visitor's release: from another loaded release, or from an older one. */
  async function oldAsset(
    { app, path, isWorker }: Extract<Route, { kind: 'old-asset' }>,
    caller: string,
  ): Promise<Reply> {
    const url = `/assets/${app}/${path}`;
    const served = [releases.live(), ...releases.sets().map(({ release }) => release)];
    const here = served.find((release) => release?.assets.has(url))?.assets.get(url) ?? previews.asset(url);
    if (here) return immutable(here);
    if (isWorker && !isInForce(app, path)) return refusedScriptReply;
    try {
      const asset = await archive.find(app, path, caller);
      return asset ? immutable(asset) : noSuchFile();
    } catch (error) {
      const isBusy = error instanceof BusyError;
      if (!isBusy)
        log.warn({ app, path, problem: errorMessage(error) }, 'cannot determine whether a file exists');
      return unavailable(isBusy ? answerStatus.limitReached : answerStatus.dependencyDown);
    }
  }

  /** Tabs of an earlier release still start its worker; a revoked release starts none. */
  function isInForce(app: string, path: string): boolean {
    const state = channelState();
    const documents = recent().filter((one) => state && !mustLeave(state, setId(one)));
    return findFile(documents, app, path) !== null;
  }

  function rootFile({ path, file: own }: Extract<Route, { kind: 'root-file' }>): Reply {
    // Publicly cacheable files are the same for everyone.
    const shared = releases.live()?.rootFiles.get(path);
    return shared ? sharedFile(shared) : { ...file(own, fileCaches.personal), revalidates: false };
  }

  function document(
    made: PageDocument,
    { drawn, path, query }: Extract<Route, { kind: 'document' }>,
    { view, caller, request }: ReplyContext,
  ): Reply {
    const reply = pageReply(made, drawn, view, query);
    const isOwn = (drawn || view.isPersonal) && view.cohort !== 'preview' && isNavigation(request.headers);
    const token =
      isOwn && view.release && path !== undefined ? signals.token(caller(), view.release, path) : null;
    if (token === null) return reply;
    return kept({
      ...reply,
      headers: { ...reply.headers, 'Server-Timing': `${TOKEN_TIMING};desc="${token}"` },
    });
  }

  /** The release's table, or whether a tab must leave its release. */
  function stateReply(query: string, view: View): Reply | Promise<Reply> {
    const release = view.release ?? releases.live();
    if (!release || new URLSearchParams(query).has('release'))
      return json(stateAnswer(channelState(), release?.id ?? null, query, view.preview === 'lost'));
    const reply = (body: EncodedBody) => tableReply(body, view);
    const table = release.table();
    return table instanceof Promise ? table.then(reply) : reply(table);
  }

  return (route, context) => {
    const { view, caller, request } = context;
    switch (route.kind) {
      case 'document': {
        const made = route.document();
        const check = (page: PageDocument) => checkedPage(page, route.query ?? '', caller);
        const answer = (page: PageDocument) => document(page, route, context);
        const checked = made instanceof Promise ? made.then(check) : check(made);
        return checked instanceof Promise ? checked.then(answer) : answer(checked);
      }
      case 'search-page':
        return searchReplies.page(route, view, caller());
      case 'search':
        return searchReplies.answer(route.query, view, caller());
      case 'asset':
        return immutable(route.asset);
      case 'redirect':
        return sharedReply(
          view,
          redirect(route.status, route.location, {
            // Not cacheable by browsers: a rollback must undo a wrong redirect immediately.
            'Cache-Control': route.status === 308 ? 'no-cache' : 'no-store',
            ...personalHeaders(view),
          }),
        );
      case 'other-host':
        // Shared caches may have one entry for all hosts.
        return redirect(308, route.location, { 'Cache-Control': 'no-store' });
      case 'root-file':
        return rootFile(route);
      case 'old-asset':
        return oldAsset(route, caller());
      case 'state':
        return stateReply(route.query, view);
      case 'open-preview':
        return previewReplies.open(route, request, caller());
      case 'leave-preview':
        return previewReplies.leave();
      case 'signals': {
        if (request.method !== 'POST')
          return json(
            view.cohort === 'preview'
              ? { token: null }
              : signals.tokenFor(caller(), formPage(route.query, request.headers)),
          );
        const { headers } = request;
        return request.body().then((body) => {
          signals.take(body, { caller: caller(), headers });
          return taken;
        });
      }
      case 'reports':
        return request.body().then((body) => {
          signals.takeBrowserReports(body, { caller: caller(), headers: request.headers });
          return taken;
        });
      case 'ready':
        return isReady() ? text(200, 'ready') : text(answerStatus.notReady, 'not ready yet');
      case 'bad-request':
        return text(400, 'This address is not written correctly.');
      case 'gone': {
        const made = route.document?.() ?? null;
        return made instanceof Promise ? made.then((page) => goneReply(page, view)) : goneReply(made, view);
      }
      case 'refused-script':
        return refusedScriptReply;
      case 'not-found':
        return sharedReply(view, noSuchFile());
      case 'no-release':
        return view.preview === 'unavailable' || view.preview === 'busy'
          ? previewProblem(view.preview)
          : startingPage;
      case 'method-not-allowed': {
        const allowed = route.allowed.join(', ');
        return text(405, `This address answers ${allowed} only.`, { Allow: allowed });
      }
    }
  };
}

/** Scripts cannot set this header: they can request a document, but not its token. Plain HTTP has no such header. */
function isNavigation({ 'sec-fetch-mode': mode }: Record<string, unknown>): boolean {
  return mode === undefined || mode === 'navigate';
}

/** The page that requests a token. @param query `?page=/blocks`; shells before it send only the referrer. */
function formPage(query: string, { referer }: Record<string, unknown>): string | undefined {
  const page = new URLSearchParams(query).get('page');
  return page ?? (typeof referer === 'string' ? URL.parse(referer)?.pathname : undefined);
}

/** Each document's replies, keyed by their other inputs. */
const pageReplies = derived<PageDocument, Map<string, Reply>>(() => new Map());

function pageReply(document: PageDocument, drawn: boolean, view: View, query = ''): Reply {
  const isShared = !drawn && !view.isPersonal;
  const make = (): Reply => ({
    status: 200,
    body: document.body,
    headers: documentHeaders(document, drawn, view),
    revalidates: isShared,
    links: document.links,
    // With a query, the caller's quota matters: see `createCheckedPages`.
    keys: isShared && query === '' ? document.keys : undefined,
  });
  // Cookies are personal.
  if (view.cookies.length > 0) return make();
  const replies = pageReplies(document);
  const form = `${drawn ? 'drawn' : 'fixed'} ${view.isPersonal ? 'personal' : 'shared'} ${query !== ''}`;
  const reply = replies.get(form) ?? kept(make());
  replies.set(form, reply);
  return reply;
}

export function withViewHeaders(view: View, reply: Reply): Reply {
  if (!isUnlisted(view, reply)) return reply;
  return reply.sent ? asUnlistedOnce(reply) : asUnlisted(reply);
}

function asUnlisted(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, ...unlisted } };
}

const asUnlistedOnce = derived((reply: Reply) => kept(asUnlisted(reply)));

/**
 * @param query `?release=r12`: the tab's release. @param hasLostPreview an ended preview was shown as part of that
 * release, so its tabs leave as well.
 */
export function stateAnswer(
  state: ChannelState | null,
  release: string | null,
  query: string,
  hasLostPreview = false,
): StateAnswer {
  const own = new URLSearchParams(query).get('release');
  if (own !== null && hasLostPreview) return { release, revoked: [own] };
  if (own === null || !state) return { release, revoked: [] };
  return { release, revoked: mustLeave(state, own) ? [own] : [] };
}
