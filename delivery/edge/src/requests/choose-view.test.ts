import type { PreviewView } from '../previews/preview-keeper.ts';
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
  const load = (id: string) => loadRelease(createSampleRelease(store, { id }), store);
  [live, canary, previewed] = await Promise.all([load('r1'), load('r2'), load('p1')]);
});

interface Situation {
  cookie?: string;
  share?: number;
  preview?: PreviewView;
  target?: string;
}

/** The release's id, the cohort, and the names of the cookies that are set. */
async function chosen({ cookie, share, preview, target = '/start' }: Situation) {
  const asked: string[] = [];
  const choose = createViewChooser({
    releases: { live: () => live, canary: () => (share ? { release: canary, share } : null) },
    previews: {
      view(linkId, caller) {
        asked.push(`${linkId} ${caller}`);
        return Promise.resolve(preview ?? { problem: 'over' });
      },
    },
    drawBucket: () => 500,
  });
  const view: View = await choose(readTarget(target), { cookie, caller: () => 'somebody' });
  const cookies = view.cookies.map((text) => text.slice(0, text.indexOf(';')));
  return { seen: [view.release?.id ?? null, view.cohort], isPersonal: view.isPersonal, cookies, view, asked };
}

test('without canary and preview, everyone sees the same, regardless of cookies', async () => {
  const { seen, isPersonal, cookies } = await chosen({ cookie: 'bucket=1' });
  expect([seen, isPersonal, cookies]).toEqual([['r1', 'live'], false, []]);
});

test.each([
  [undefined, 5.01, ['r2', 'canary'], ['__Host-bucket=500']],
  [undefined, 5, ['r1', 'live'], ['__Host-bucket=500']],
  ['bucket=9', 5, ['r2', 'canary'], []],
  ['bucket=9999', 5, ['r1', 'live'], []],
])('with the cookie %s and a share of %d %%, a visitor sees %j', async (cookie, share, seen, cookies) => {
  const found = await chosen({ share, ...(cookie === undefined ? {} : { cookie }) });
  expect([found.seen, found.isPersonal, found.cookies]).toEqual([seen, true, cookies]);
});

test('a preview takes precedence over a canary, and is looked up by its link id and client', async () => {
  const preview = { release: previewed } as PreviewView;
  const found = await chosen({ cookie: `__Host-Http-preview=${linkId}; bucket=1`, share: 5, preview });
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
  expect(over.cookies).toEqual(['__Host-Http-preview=', '__Host-bucket=500']);
  expect(over.isPersonal).toBe(true);
});

test("files are the same for everyone, except for a preview's table", async () => {
  const preview = { release: previewed } as PreviewView;
  const file = await chosen({
    cookie: '__Host-Http-preview=abc',
    preview,
    target: '/assets/shell/x.js',
    share: 100,
  });
  expect([file.seen, file.isPersonal, file.asked]).toEqual([['r1', 'live'], false, []]);
  const target = '/assets/release/table.00000000000000000000000000000000.json';
  expect((await chosen({ cookie: '__Host-Http-preview=abc', preview, target })).seen).toEqual([
    'p1',
    'preview',
  ]);
});
