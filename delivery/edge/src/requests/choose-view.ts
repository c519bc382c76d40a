import { SEARCH_PATH } from '@site/contract';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import { seesCanary } from '../releases/bucket.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { canariesOf, pageRelease, type VisitorSets } from '../releases/visitor-sets.ts';
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

export interface ViewOptions {
  releases: VisitorSets;
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

  function siteView(
    { path, query }: RequestTarget,
    known: number | null,
    caller: () => string,
  ): View | Promise<View> {
    const live = releases.live();
    // Search results are of a whole set.
    const isSearch = path === SEARCH_PATH && query !== '';
    const canaries = isSearch ? releases.canaries() : canariesOf(releases, path);
    if (!live || canaries.length === 0) return liveView(live);
    const bucket = known ?? drawBucket(caller());
    const seen = canaries.filter((canary) => seesCanary(bucket, canary));
    const view = (release: LoadedRelease): View => ({
      release,
      cohort: release.id === live.id ? 'live' : 'canary',
      isPersonal: true,
      cookies: known === null ? [bucketCookie(bucket, hasHttps(live))] : [],
    });
    const isPage =
      releases.live()?.pages.has(path) || releases.sets().some((set) => set.release.pages.has(path));
    const release = isPage && !isSearch ? pageRelease(releases, live, path, seen) : releases.composed(seen);
    return release instanceof Promise ? release.then(view) : view(release);
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
    const view = await siteView(target, bucket, caller);
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
    const clearing = (view: View): View => ({
      ...view,
      isPersonal: true,
      clears: true,
      cookies: [...clearedCookies(since), ...view.cookies],
    });
    const view = siteView(target, bucket, caller);
    return view instanceof Promise ? view.then(clearing) : clearing(view);
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
      : siteView(target, known.bucket, caller);
  };
}
