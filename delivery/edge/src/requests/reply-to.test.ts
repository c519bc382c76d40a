import type { VisitorSets } from '../releases/visitor-sets.ts';
import { type ChannelState, MAX_REVOKED } from '@site/contract';
import { answerStatus } from '@site/contract/http';
import { plainBody } from '@site/server/encoded-body';
import { BusyError } from '@site/server/turns';
import type { Asset } from '../files/served-file.ts';
import type { LoadedRelease, PageDocument } from '../releases/loaded-release.ts';
import { liveView, type View } from './choose-view.ts';
import { createReplier, withViewHeaders, type ReplyOptions, stateAnswer } from './reply-to.ts';
import type { Route } from './route-request.ts';

const noCanaries: VisitorSets = {
  live: () => null,
  canaries: () => [],
  sets: () => [],
  composed: () => Promise.reject(new Error('not asked')),
};

const asset = (text: string, contentType = 'text/css; charset=utf-8'): Asset => ({
  contentType,
  integrity: `sha384-${text}`,
  body: plainBody(text),
});
const release = (id: string, assets: Record<string, Asset> = {}, unlisted = false) =>
  ({
    id,
    assets: new Map(Object.entries(assets)),
    rootFiles: new Map([['/robots.txt', asset(`robots of ${id}`)]]),
    unlisted,
  }) as unknown as LoadedRelease;
const live = release('r1');
const everyone = liveView(live);
const preview: View = { release: release('p1'), cohort: 'preview', isPersonal: true, cookies: [] };
const document = (): PageDocument => ({
  body: plainBody('<html>'),
  csp: 'own',
  hasIntegrity: true,
  links: ['<x>'],
  keys: ['mfe-blocks'],
});

function reply(
  answer: Route,
  view: View = everyone,
  { headers = {}, ...changes }: Partial<ReplyOptions> & { headers?: Record<string, string> } = {},
) {
  const replyTo = createReplier({
    releases: { ...noCanaries, live: () => live },
    channelState: () => null,
    isReady: () => true,
    recent: () => [],
    archive: { find: () => Promise.resolve(null) },
    previews: { view: () => Promise.resolve({ problem: 'invalid' }), asset: () => undefined },
    signals: {
      token: () => 't0',
      tokenFor: () => ({ token: 't1' }),
      take: () => undefined,
      takeBrowserReports: () => undefined,
      previewConfirmation: () => 'confirmed',
    },
    now: () => 0,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...changes,
  });
  return replyTo(answer, {
    view,
    caller: () => 'visitor',
    request: { method: 'GET', headers, body: () => Promise.resolve(null) },
  });
}

describe('a page', () => {
  const page = (drawn: boolean, view?: View, headers = {}) =>
    reply({ kind: 'document', document, drawn, path: '/x' }, view, { headers });

  test('a visitor of a preview gets no token: only live code is judged', async () => {
    const canary: View = { ...preview, cohort: 'canary' };
    const timings = await Promise.all([page(true), page(false), page(false, canary), page(true, preview)]);
    expect(timings.map(({ headers }) => headers['Server-Timing'])).toEqual([
      'view;desc="t0"',
      undefined,
      'view;desc="t0"',
      undefined,
    ]);
    // A script can request a page, but cannot have its token.
    const fetched = await page(true, everyone, { 'sec-fetch-mode': 'same-origin' });
    expect(fetched.headers['Server-Timing']).toBeUndefined();
    for (const [view, token] of [
      [everyone, '"t1"'],
      [preview, 'null'],
    ] as const) {
      const { body } = await reply({ kind: 'signals', query: '?page=/blocks' }, view);
      expect(body.identity.toString()).toBe(`{"token":${token}}`);
    }
  });

  test('a page that is the same for everyone may be cached and revalidated', async () => {
    expect(await page(false)).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': 'own',
        'Integrity-Policy': 'blocked-destinations=(script), endpoints=(site)',
        'Cache-Control': 'no-cache, no-transform',
      },
      revalidates: true,
      links: ['<x>'],
    });
  });

  test('a page with a random variant is cacheable only by its visitor, a personal one not at all', async () => {
    const drawn = await page(true);
    expect([drawn.headers['Cache-Control'], drawn.headers['Vary'], drawn.revalidates]).toEqual([
      'private, no-cache, no-transform',
      undefined,
      false,
    ]);
    const own = await page(false, { ...preview, cookies: ['bucket=1'] });
    expect(own).toMatchObject({
      headers: {
        'Cache-Control': 'private, no-store, no-transform',
        Vary: 'Cookie',
        'Set-Cookie': ['bucket=1'],
      },
      revalidates: false,
    });
  });
});

test('a file of another loaded release is sent without a lookup; others are looked up in the archive', async () => {
  const old: Route = { kind: 'old-asset', app: 'mfe-blocks', path: 'x.css' };
  const url = '/assets/mfe-blocks/x.css';
  const shown = release('r2', { [url]: asset('canary') });
  const found = await reply(old, everyone, {
    releases: {
      ...noCanaries,
      live: () => live,
      sets: () => [{ canaries: [{ release: 'r2', app: 'mfe-blocks', share: 5 }], release: shown }],
    },
  });
  expect([found.status, found.body.identity.toString(), found.hasRanges]).toEqual([200, 'canary', true]);
  const asked: unknown[] = [];
  const find = (...question: unknown[]) => {
    asked.push(question);
    return Promise.resolve(null);
  };
  expect((await reply(old, everyone, { archive: { find } })).status).toBe(404);
  expect(asked).toEqual([['mfe-blocks', 'x.css', 'visitor']]);
});

test.each([
  ['registry or store are away', new Error('away'), answerStatus.dependencyDown],
  ['its caller has used up a limit', new BusyError('too much'), answerStatus.limitReached],
])('a failed lookup of an old file never reports the edge as not ready: %s', async (_, error, status) => {
  const old: Route = { kind: 'old-asset', app: 'mfe-blocks', path: 'x.css' };
  const refused = await reply(old, everyone, { archive: { find: () => Promise.reject(error) } });
  expect([refused.status, refused.headers['Retry-After']]).toEqual([status, '5']);
});

test.each([
  ['unavailable', answerStatus.dependencyDown],
  ['busy', answerStatus.limitReached],
] as const)('a failed preview never reports the edge as not ready: %s', async (problem, status) => {
  const refused = await reply({ kind: 'no-release' }, { ...preview, release: null, preview: problem });
  expect(refused.status).toBe(status);
  const answered = await reply({ kind: 'open-preview', linkId: 'x', path: '/' }, everyone, {
    releases: noCanaries,
    previews: { view: () => Promise.resolve({ problem }), asset: () => undefined },
  });
  expect(answered.status).toBe(status);
});

test('a tab of an ended preview is notified to leave its release', async () => {
  const told = { revoked: [] } as unknown as ChannelState;
  const state: Route = { kind: 'state', query: '?release=r1' };
  const answerTo = async (view: View) =>
    JSON.parse((await reply(state, view, { channelState: () => told })).body.identity.toString()) as unknown;
  expect(await answerTo({ ...everyone, preview: 'lost' })).toEqual({ release: 'r1', revoked: ['r1'] });
});

test('before the first release a visitor waits; a visitor of an unavailable preview gets an explanation', async () => {
  const nothing: Route = { kind: 'no-release' };
  const starting = await reply(nothing, liveView(null));
  expect([starting.status, starting.headers['Retry-After']]).toEqual([503, '5']);
  const away = await reply(nothing, { ...preview, release: null, preview: 'unavailable' });
  expect(away.body.identity.toString()).toContain('This preview is not available right now');
});

test('other methods are rejected with the allowed ones', async () => {
  const refused = await reply({
    kind: 'method-not-allowed',
    allowed: ['GET', 'HEAD'],
    instead: { kind: 'ready' },
  });
  expect([refused.status, refused.headers['Allow']]).toEqual([405, 'GET, HEAD']);
});

test('previews and non-production sites are noindex, except for publicly cacheable files', async () => {
  const robots = async (answer: Route, view: View) =>
    withViewHeaders(view, await reply(answer, view)).headers['X-Robots-Tag'];
  const page: Route = { kind: 'document', document, drawn: false };
  const shared: Route = { kind: 'root-file', path: '/robots.txt', file: asset('own') };
  const unlisted = liveView(release('r1', {}, true));
  expect(await robots(page, everyone)).toBeUndefined();
  expect(await robots(page, preview)).toBe('noindex, nofollow');
  expect(await robots(shared, preview)).toBeUndefined();
  expect(await robots(shared, unlisted)).toBe('noindex, nofollow');
});

test('shared replies are built once; personal ones are not kept', async () => {
  const made = document();
  const page = (view: View = everyone, drawn = false) =>
    reply({ kind: 'document', document: () => made, drawn }, view);
  expect(await page()).toBe(await page());
  expect(await page(everyone, true)).not.toBe(await page());
  expect(await page(preview)).not.toBe(await page());
  const own = { ...everyone, isPersonal: true, cookies: ['bucket=1'] };
  expect((await page(own)).headers['Set-Cookie']).toEqual(['bucket=1']);
  expect((await page({ ...own, cookies: [] })).headers['Set-Cookie']).toBeUndefined();
  expect(withViewHeaders(preview, await page(preview))).toBe(withViewHeaders(preview, await page(preview)));
  const script: Route = { kind: 'asset', app: 'shell', asset: asset('x') };
  expect(await reply(script)).toBe(await reply(script));
});

const told = (revoked: string[], live = 'r9000', canary: string | null = null): ChannelState => ({
  channel: 'production',
  live,
  canaries: canary === null ? [] : [{ release: canary, app: 'mfe-blocks', share: 5 }],
  revoked,
});

const full = Array.from({ length: MAX_REVOKED }, (_, index) => `r${1000 + index}`);

test('a tab receives only its own release, regardless of the number of revoked ones', () => {
  const of = (release: string) => stateAnswer(told(full), 'r9000', `?release=${release}`);
  expect(of('r1007')).toEqual({ release: 'r9000', revoked: ['r1007'] });
  expect(of('r2000')).toEqual({ release: 'r9000', revoked: [] });
});

test('a tab older than a full list of revoked releases also leaves, except for a live one', () => {
  const revoked = (release: string, state: ChannelState) =>
    stateAnswer(state, 'r9000', `?release=${release}`).revoked;
  expect(revoked('r999', told(full))).toEqual(['r999']);
  expect(revoked('r999', told(full.slice(1)))).toEqual([]);
  expect(revoked('r999', told(full, 'r999'))).toEqual([]);
  expect(revoked('r998', told(full, 'r999', 'r998'))).toEqual([]);
});

test("an unknown release gets an empty response, and so does a tab before the registry's first state", () => {
  expect(stateAnswer(told(full), 'r9000', '?release=%3Cscript%3E').revoked).toEqual([]);
  expect(stateAnswer(null, null, '?release=r1')).toEqual({ release: null, revoked: [] });
});
