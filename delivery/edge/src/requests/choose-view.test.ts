import type { CanaryShare, SiteConfig } from '@site/contract';
import type { PreviewView } from '../previews/preview-keeper.ts';
import { placesIn } from '../releases/bucket.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { loadRelease } from '../releases/load-release.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { linkId } from '../testing/preview-site.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { createViewChooser, type View } from './choose-view.ts';
import { readTarget } from './read-target.ts';

let live: LoadedRelease;
let canary: LoadedRelease;
let previewed: LoadedRelease;
beforeAll(async () => {
  const store = createMemoryStore();
  const load = (id: string, edition = 'one') =>
    loadRelease(createSampleRelease(store, { id, editions: { 'mfe-marketing': edition } }), store);
  [live, canary, previewed] = await Promise.all([load('r1'), load('r2', 'two'), load('p1')]);
});

const canaryOf = (share: number): CanaryShare => ({ release: 'r2', app: 'mfe-marketing', share });
const bucketAt = (place: number) => placesIn('r2').indexOf(place);

interface Situation {
  cookie?: string;
  share?: number;
  preview?: PreviewView;
  target?: string;
  since?: string;
  isDocument?: boolean;
}

function withConfig(release: LoadedRelease, config: SiteConfig): LoadedRelease {
  return { ...release, document: { ...release.document, release: { ...release.document.release, config } } };
}

async function chosen(situation: Situation) {
  const { cookie, share, preview, target = '/start', since, isDocument = true } = situation;
  const { config } = live.document.release;
  const shown = since === undefined ? live : withConfig(live, { ...config, visitorDataSince: since });
  const asked: string[] = [];
  const choose = createViewChooser({
    releases: {
      live: () => shown,
      canaries: () => (share ? [canaryOf(share)] : []),
      sets: () => (share ? [{ canaries: [canaryOf(share)], release: canary }] : []),
      composed: (seen) => (seen.length > 0 ? canary : shown),
    },
    previews: {
      view(linkId, caller) {
        asked.push(`${linkId} ${caller}`);
        return Promise.resolve(preview ?? { problem: 'over' });
      },
    },
    drawBucket: () => bucketAt(500),
  });
  const view: View = await choose(readTarget(target), {
    cookie,
    caller: () => 'somebody',
    isDocument,
  });
  const cookies = view.cookies.map((text) => text.slice(0, text.indexOf(';')));
  return { seen: [view.release?.id ?? null, view.cohort], isPersonal: view.isPersonal, cookies, view, asked };
}

test('without canary and preview, everyone sees the same, regardless of cookies', async () => {
  const { seen, isPersonal, cookies } = await chosen({ cookie: `__Host-Http-bucket=${bucketAt(1)}` });
  expect([seen, isPersonal, cookies]).toEqual([['r1', 'live'], false, []]);
});

test.each([
  [undefined, 5.01, ['r2', 'canary'], [`__Host-Http-bucket=${bucketAt(500)}`]],
  [undefined, 5, ['r1', 'live'], [`__Host-Http-bucket=${bucketAt(500)}`]],
  [`__Host-Http-bucket=${bucketAt(9)}`, 5, ['r2', 'canary'], []],
  [`__Host-Http-bucket=${bucketAt(9999)}`, 5, ['r1', 'live'], []],
])('with the cookie %s and a share of %d %%, a visitor sees %j', async (cookie, share, seen, cookies) => {
  const found = await chosen({ share, ...(cookie === undefined ? {} : { cookie }) });
  expect([found.seen, found.isPersonal, found.cookies]).toEqual([seen, true, cookies]);
});

test('a preview takes precedence over a canary, and is looked up by its link id and client', async () => {
  const preview = { release: previewed } as PreviewView;
  const found = await chosen({
    cookie: `__Host-Http-preview=${linkId}; __Host-Http-bucket=${bucketAt(1)}`,
    share: 5,
    preview,
  });
  expect([found.seen, found.isPersonal, found.asked]).toEqual([
    ['p1', 'preview'],
    true,
    [`${linkId} somebody`],
  ]);
});

test('an unavailable preview is not replaced by the live site; an ended one is dropped with its cookie', async () => {
  const cookie = `__Host-Http-preview=${linkId}`;
  const away = await chosen({ cookie, preview: { problem: 'unavailable' } });
  expect([away.seen, away.view.preview, away.cookies]).toEqual([[null, 'preview'], 'unavailable', []]);
  const over = await chosen({ cookie, preview: { problem: 'over' }, share: 100 });
  expect([over.seen, over.view.preview]).toEqual([['r2', 'canary'], 'lost']);
  expect(over.cookies).toEqual(['__Host-Http-preview=', `__Host-Http-bucket=${bucketAt(500)}`]);
  expect(over.isPersonal).toBe(true);
});

test('files are the same for everyone', async () => {
  const preview = { release: previewed } as PreviewView;
  const file = await chosen({
    cookie: '__Host-Http-preview=abc',
    preview,
    target: '/assets/shell/x.js',
    share: 100,
  });
  expect([file.seen, file.isPersonal, file.asked]).toEqual([['r1', 'live'], false, []]);
});

test('a page that the canary does not change is the same for everyone', async () => {
  const blocks = await chosen({
    cookie: `__Host-Http-bucket=${bucketAt(1)}`,
    share: 100,
    target: '/blocks?from=mail',
  });
  expect([blocks.seen, blocks.isPersonal, blocks.cookies]).toEqual([['r1', 'live'], false, []]);
  const found = await chosen({
    cookie: `__Host-Http-bucket=${bucketAt(1)}`,
    share: 100,
    target: '/search?q=auth',
  });
  expect([found.seen, found.isPersonal]).toEqual([['r2', 'canary'], true]);
});

describe('after a hostile version', () => {
  const since = '2026-11-28T10:00:00Z';
  const mark = `__Host-Http-cleared=${Date.parse(since)}`;
  const ended = [mark, '__Host-Http-preview=', 'authToken='];

  test('a browser with cookies is cleared once, and again for a later time', async () => {
    const first = await chosen({ since, cookie: 'authToken=x' });
    expect([first.view.clears, first.isPersonal, first.cookies]).toEqual([true, true, ended]);
    const next = await chosen({ since, cookie: `${mark}; authToken=y` });
    expect([next.view.clears, next.isPersonal, next.cookies]).toEqual([undefined, false, []]);
    expect((await chosen({ since: '2026-11-29T10:00:00Z', cookie: mark })).view.clears).toBe(true);
  });

  test('it leaves a running preview, and may get the canary', async () => {
    const preview = { release: previewed } as PreviewView;
    const found = await chosen({ since, cookie: `__Host-Http-preview=${linkId}`, share: 100, preview });
    expect([found.seen, found.asked]).toEqual([['r2', 'canary'], []]);
    expect(found.cookies).toEqual([...ended, `__Host-Http-bucket=${bucketAt(500)}`]);
  });

  test.each([
    ['without cookies', {}],
    ['of a script, which could store its data again', { cookie: 'authToken=x', isDocument: false }],
    ['of a file', { cookie: 'authToken=x', target: '/assets/shell/x.js' }],
  ])('a request %s changes nothing', async (_, situation) => {
    const { view, isPersonal, cookies } = await chosen({ since, ...situation });
    expect([view.clears, isPersonal, cookies]).toEqual([undefined, false, []]);
  });
});
