import { SEARCH_PATH } from '@site/contract';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import { seesCanary, type LoadedCanary } from '../releases/bucket.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { documentKeyAt } from '../signals/served-views.ts';
import { bucketCookie, clearedCookies, noPreviewCookie, readCookies, type EdgeCookies } from './cookies.ts';
import type { RequestTarget } from './read-target.ts';

export interface View {
  release: LoadedRelease | null;
  cohort: 'live' | 'canary' | 'preview';
  isPersonal: boolean;
  cookies: string[];
  /** The document removes all data that scripts have stored in this browser. */
  clears?: boolean;
  /**
   * `lost`: it ended. `unavailable` and `busy`: it cannot be shown now, and the live site must not replace it
   * unmarked.
   */
  preview?: 'lost' | 'unavailable' | 'busy';
}

export interface ShownReleases {
  live(): LoadedRelease | null;
  canary(): LoadedCanary | null;
}

export interface ViewOptions {
  releases: ShownReleases;
  previews: Pick<PreviewKeeper, 'view'>;
  drawBucket(caller: string): number;
}

export interface Requester {
  cookie: string | undefined;
  caller(): string;
  /** A tab loads a document, which no script can imitate. */
  isDocument: boolean;
}

export function liveView(release: LoadedRelease | null): View {
  return { release, cohort: 'live', isPersonal: false, cookies: [] };
}

export function createViewChooser({
  releases,
  previews,
  drawBucket,
}: ViewOptions): (target: RequestTarget, visitor: Requester) => View | Promise<View> {
  const hasHttps = (live: LoadedRelease | null) =>
    live?.document.release.config.origin.startsWith('https:') ?? true;

  function canaryView({ path, query }: RequestTarget, known: number | null, caller: () => string): View {
    const live = releases.live();
    const canary = releases.canary();
    if (!canary || !live || isUnchanged(path, query, live, canary.release)) return liveView(live);
    const bucket = known ?? drawBucket(caller());
    const isSeen = seesCanary(bucket, canary.share);
    return {
      release: isSeen ? canary.release : live,
      cohort: isSeen ? 'canary' : 'live',
      isPersonal: true,
      cookies: known === null ? [bucketCookie(bucket, hasHttps(live))] : [],
    };
  }

  async function previewView(
    target: RequestTarget,
    linkId: string,
    bucket: number | null,
    caller: () => string,
  ): Promise<View> {
    const marked = { cohort: 'preview' as const, isPersonal: true, cookies: [] };
    const preview = await previews.view(linkId, caller());
    if ('release' in preview) return { ...marked, release: preview.release };
    const { problem } = preview;
    if (problem === 'unavailable' || problem === 'busy')
      return { ...marked, release: null, preview: problem };
    const view = canaryView(target, bucket, caller);
    return {
      ...view,
      isPersonal: true,
      preview: 'lost',
      cookies: [noPreviewCookie(), ...view.cookies],
    };
  }

  /**
   * Once per browser that has cookies. Visitors without them share their documents with everyone, and get a cookie on
   * their first visit. A preview may be the hostile team's, so it is left.
   */
  function cleared(target: RequestTarget, { bucket, cleared: last }: EdgeCookies, caller: () => string) {
    const { visitorDataSince } = releases.live()?.document.release.config ?? {};
    if (visitorDataSince === undefined) return null;
    const since = String(Date.parse(visitorDataSince));
    if (last === since) return null;
    const view = canaryView(target, bucket, caller);
    return { ...view, isPersonal: true, clears: true, cookies: [...clearedCookies(since), ...view.cookies] };
  }

  return (target, { cookie, caller, isDocument }) => {
    const live = releases.live();
    // Files are the same for everyone, since their names are unique.
    if (target.path.startsWith('/assets/')) return liveView(live);
    const isSecure = hasHttps(live);
    const known = readCookies(cookie, isSecure);
    // Without https, browsers ignore the header.
    const view = cookie && isDocument && isSecure ? cleared(target, known, caller) : null;
    if (view) return view;
    return known.preview !== null && live
      ? previewView(target, known.preview, known.bucket, caller)
      : canaryView(target, known.bucket, caller);
  };
}

/** Whether a path is a page that is the same in both releases. Search results are of a whole release. */
function isUnchanged(path: string, query: string, live: LoadedRelease, canary: LoadedRelease): boolean {
  if (path === SEARCH_PATH && query !== '') return false;
  const document = documentKeyAt(live, path);
  return document !== undefined && document === documentKeyAt(canary, path);
}
