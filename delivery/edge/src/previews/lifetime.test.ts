import { ask } from '../testing/ask.ts';
import { samplePreview } from '../testing/fake-registry.ts';
import {
  linkId,
  linkTo,
  noCookie,
  open,
  previewSite,
  shownAt,
  withCookie,
  press,
} from '../testing/preview-site.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const site = previewSite();
const { harness, start, addPreview } = site;

test('a revoked preview is gone within a second on every edge, even on one without events', async () => {
  const one = await start();
  const two = await harness.start({ now: () => site.clock, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(two.edge.release()).toBe('r1'));
  addPreview();
  for (const { url } of [one, two]) {
    await open(url);
    expect(await shownAt(url)).toBe('previewed');
  }
  // No event is sent.
  harness.registry.previews.set(linkId, 'over');
  site.clock += 999;
  for (const { url } of [one, two]) {
    const page = await ask(url, '/blocks', withCookie);
    expect(page.text).toContain('<main>/blocks  one</main>');
    expect(page.headers['set-cookie']).toEqual([noCookie]);
    // Its open tabs leave at their next navigation, like tabs of a revoked release; other tabs stay.
    const state = async (headers: Record<string, string>) =>
      JSON.parse((await ask(url, '/__site/state?release=r1', { headers })).text) as unknown;
    expect(await state(withCookie.headers)).toEqual({ release: 'r1', revoked: ['r1'] });
    expect(await state({})).toEqual({ release: 'r1', revoked: [] });
    expect((await ask(url, linkTo(linkId))).text).toContain('This preview has ended');
  }
});

test('a preview that is revoked while it loads is not shown', async () => {
  const { url } = await start();
  const { document } = addPreview();
  const slow = harness.registry.requests;
  // It ends between document and response: the last check before showing it detects that.
  const described = () => slow.filter((path) => /^\/v1\/previews\/\w+$/.test(path)).length;
  harness.registry.onDocument = () => harness.registry.previews.set(linkId, 'over');
  expect((await press(url, linkTo(linkId))).status).toBe(403);
  expect(described()).toBe(2);
  expect(document.release.id).toBe('r1');
});

test('a preview can be left', async () => {
  const { url } = await start();
  const left = await ask(url, '/_preview/leave');
  expect([left.status, left.headers.location, left.headers['set-cookie']]).toEqual([303, '/', [noCookie]]);
});

test('checks the registry at most twice per second, and follows the live release', async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  const asked = (part = '') =>
    harness.registry.requests.filter((path) => new RegExp(`^/v1/previews/\\w+${part}$`).test(path)).length;
  const before = asked();
  for (let time = 0; time < 3; time += 1) await ask(url, '/blocks', withCookie);
  site.clock += 499;
  await ask(url, '/blocks', withCookie);
  expect([asked(), asked('/document')]).toEqual([before, 1]);
  site.clock += 1;
  await ask(url, '/blocks', withCookie);
  expect([asked(), asked('/document')]).toEqual([before + 1, 1]);

  // Even if this edge has not received the new live release yet.
  const editions = { 'mfe-marketing': 'two', 'mfe-blocks': 'previewed' };
  const document = createSampleRelease(harness.store, { id: 'r2', editions });
  harness.registry.previews.set(linkId, { document, preview: samplePreview({ live: 'r2' }) });
  site.clock += 500;
  expect(await shownAt(url, '/start')).toBe('two');
});

test('while the registry is down, neither the preview nor the live site is shown; afterwards the preview returns', async () => {
  const { url } = await start();
  addPreview();
  const visitor = await open(url);
  await harness.registry.goAway();
  site.clock += 499;
  expect(await shownAt(url)).toBe('previewed');
  site.clock += 1;
  const page = await ask(url, '/blocks', visitor);
  expect([page.status, page.headers['set-cookie'], page.headers['cache-control']]).toEqual([
    504,
    undefined,
    'no-store',
  ]);
  expect(page.text).toContain('not available right now');
  expect(page.text).toContain('<a href="/_preview/leave">');
  expect((await ask(url, '/_preview/leave', visitor)).status).toBe(303);
  expect((await ask(url, linkTo(linkId))).status).toBe(504);
  // An invalid id falls back to the site.
  const junk = await ask(url, '/blocks', { headers: { cookie: '__Host-Http-preview=a.b.c' } });
  expect([junk.status, junk.headers['set-cookie']]).toEqual([200, [noCookie]]);
  expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  one</main>');

  await harness.registry.comeBack();
  expect(await shownAt(url)).toBe('previewed');
});

test('made-up ids are looked up once each, with limited concurrency; open previews keep working', async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  let under = 0;
  let most = 0;
  harness.registry.onDescribe = async (id) => {
    if (id !== null) return;
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
  };
  const madeUp = (index: number) => `${index}-`.padEnd(43, 'z');
  const visit = (index: number) =>
    ask(url, '/blocks', { headers: { cookie: `__Host-Http-preview=${madeUp(index)}` } });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => visit(index)));
  expect(most).toBeLessThanOrEqual(4);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)).toEqual(
    [],
  );
  const asked = harness.registry.requests.length;
  const known = answers.findIndex(({ status }) => status === 200);
  expect((await visit(known)).status).toBe(200);
  expect(harness.registry.requests.length).toBe(asked);
  site.clock += 500;
  expect(await shownAt(url)).toBe('previewed');
});

test("made-up ids cannot exhaust this edge's quota at the registry: the limit is 300 per minute per address", async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  const describing = () =>
    harness.registry.requests.filter((path) => /^\/v1\/previews\/\w+$/.test(path)).length;
  const visit = async (index: number) => {
    const cookie = `__Host-Http-preview=${`${index}-`.padEnd(43, 'z')}`;
    return (await ask(url, '/blocks', { headers: { cookie } })).status;
  };
  const before = describing();
  for (let index = 0; index < 310; index += 1) await visit(index);
  expect(describing() - before).toBeLessThanOrEqual(300);
  expect(await visit(311)).toBe(429);
  // Open previews do not count.
  site.clock += 500;
  expect(await shownAt(url)).toBe('previewed');
  site.clock += 60_000;
  expect(await visit(312)).toBe(200);
});
