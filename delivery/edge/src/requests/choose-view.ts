import { assetUrl, RELEASE_FOLDER } from '@site/contract';
import type { PreviewKeeper } from '../previews/preview-keeper.ts';
import { seesCanary, type LoadedCanary } from '../releases/bucket.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { bucketCookie, noPreviewCookie, readCookies } from './cookies.ts';
import type { RequestTarget } from './read-target.ts';

/** What a visitor gets to see, and what the answer must say about it. */
export interface View {
  release: LoadedRelease | null;
  cohort: 'live' | 'canary' | 'preview';
  /** True when another visitor may get something else at the same address. */
  isPersonal: boolean;
  /** What the visitor's browser is to remember, as `cookies.ts` writes it. */
  cookies: string[];
  /**
   * Of the preview that the visitor came with. `lost`: it is over. `unavailable` and `busy`: it cannot be shown right now, and not
   * what everyone gets, unmarked, in its place.
   */
  preview?: 'lost' | 'unavailable' | 'busy';
}

/** The releases that visitors get. */
export interface ShownReleases {
  live(): LoadedRelease | null;
  canary(): LoadedCanary | null;
}

export interface ViewOptions {
  releases: ShownReleases;
  previews: Pick<PreviewKeeper, 'view'>;
  /** Draws the bucket of a visitor who has none. */
  drawBucket(): number;
}

/** Who asks: the `Cookie` header, and whom limits count as one. */
export interface Requester {
  cookie: string | undefined;
  caller(): string;
}

const tables = assetUrl(RELEASE_FOLDER, '');

/** What a visitor sees who has neither preview nor canary. */
export function liveView(release: LoadedRelease | null): View {
  return { release, cohort: 'live', isPersonal: false, cookies: [] };
}

/**
 * The first step of a request: which release answers it. A preview comes before a canary, a canary before the live
 * release.
 */
export function createViewChooser({
  releases,
  previews,
  drawBucket,
}: ViewOptions): (target: RequestTarget, visitor: Requester) => View | Promise<View> {
  const isSecure = (live: LoadedRelease | null) =>
    live?.document.release.config.origin.startsWith('https:') ?? true;

  function canaryView(live: LoadedRelease | null, known: number | null): View {
    const canary = releases.canary();
    if (!canary) return liveView(live);
    const bucket = known ?? drawBucket();
    const isSeen = seesCanary(bucket, canary.share);
    return {
      release: isSeen ? canary.release : live,
      cohort: isSeen ? 'canary' : 'live',
      isPersonal: true,
      cookies: known === null ? [bucketCookie(bucket, isSecure(live))] : [],
    };
  }

  async function previewView(linkId: string, bucket: number | null, caller: string): Promise<View> {
    const marked = { cohort: 'preview' as const, isPersonal: true, cookies: [] };
    const preview = await previews.view(linkId, caller);
    if ('release' in preview) return { ...marked, release: preview.release };
    const { problem } = preview;
    if (problem === 'unavailable' || problem === 'busy')
      return { ...marked, release: null, preview: problem };
    // Its link is over: from here on the visitor gets what everyone gets.
    const view = canaryView(releases.live(), bucket);
    return {
      ...view,
      isPersonal: true,
      preview: 'lost',
      cookies: [noPreviewCookie(), ...view.cookies],
    };
  }

  return ({ path }, { cookie, caller }) => {
    const live = releases.live();
    // Files are the same for everyone: their names tell them apart. But a table is known with its release only, and
    // a preview whose page came from another edge may not be here yet.
    if (path.startsWith('/assets/') && !path.startsWith(tables)) return liveView(live);
    const { preview, bucket } = readCookies(cookie);
    return preview !== null && live ? previewView(preview, bucket, caller()) : canaryView(live, bucket);
  };
}
