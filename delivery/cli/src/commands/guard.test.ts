import { writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { forEachTest } from '@site/server/testing/for-each-test';
import { makeCell, testEdge } from '@site/registry/testing/signals';
import { mapTo, packMaps } from '@site/registry/testing/source-maps';
import { createIo, type Sink } from '../output.ts';
import { runSite } from '../run-site.ts';
import { blocks, createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);
const [live, canary] = [blocks(1).version, blocks(2).version];

/** A canary of mfe-blocks, and an edge with visitors of the canary and of the live version. */
async function startCanary(faults: number): Promise<void> {
  const { registry } = harness;
  await registry.startSite();
  await registry.publish(blocks(2));
  await registry.activate({ 'mfe-blocks': canary }, { share: 10 });
  await registry.look();
  await testEdge(registry).tell(
    [
      makeCell({ app: 'mfe-blocks', version: canary, role: 'canary', views: 200, faults, lcp: [[70, 200]] }),
      makeCell({ app: 'mfe-blocks', version: live, views: 1800, formsSent: 3, formsFailed: 1 }),
    ],
    {
      faults: [
        {
          kind: 'error',
          app: 'mfe-blocks',
          version: canary,
          route: '/blocks',
          message: 'x is undefined',
          file: '/assets/mfe-blocks/chunk.js',
          line: 3,
          column: 14,
          count: 150,
        },
      ],
    },
  );
}

function createSink(written: (text: string) => void): Sink {
  const sink = {
    on: () => sink,
    write(text: string) {
      written(text);
      return true;
    },
  };
  return sink as unknown as Sink;
}

describe('guard', () => {
  test('status shows observations, verdicts and the policy; history shows actions', async () => {
    await startCanary(150);
    const sentence = `/blocks failed \\(browsers reported 'x is undefined'\\) in 150 of 200 views with ${canary}`;
    const before = await harness.site('guard', 'status');
    expect(before.code).toBe(0);
    expect(before.out).toContain('all other apps on production: act (the default)');
    expect(before.out).toMatch(new RegExp(`mfe-blocks@${canary} +r2 canary +bad +.* UTC +${sentence}`));
    expect((await harness.site('guard', 'history')).out).toBe(
      'the guard has done nothing on production yet\n',
    );

    await harness.registry.look();
    expect((await harness.site('guard', 'history', 'mfe-blocks')).out).toMatch(
      new RegExp(`acted +mfe-blocks@${canary} +r2 +${sentence}.* a canary is bad`),
    );
    await harness.registry.look();
    expect((await harness.site('guard', 'status')).out).not.toContain(canary);
    expect(await harness.siteJson('guard', 'history')).toMatchObject({
      actions: [{ did: 'acted', app: 'mfe-blocks', version: canary, release: 'r2' }],
    });
    expect((await harness.site('audit')).out).toMatch(/guard +canary\.aborted +r2/);
  });

  test('set changes the policy for all apps or one, with an audit entry', async () => {
    await harness.registry.startSite();
    const set = (...args: string[]) => harness.site('guard', 'set', ...args, '--reason', 'a campaign');
    expect((await set('off', '--dry-run')).out).toMatch(
      /^dry run: nothing was changed.*\nall other apps on production: off/,
    );
    expect((await set('suggest')).out).toMatch(
      /^done\nall other apps on production: suggest, since .* olivia: a campaign/,
    );
    expect((await set('suggest')).out).toMatch(/^nothing to do\n/);
    expect((await set('off', 'mfe-blocks')).out).toMatch(/mfe-blocks on production: off/);
    expect((await set('default', 'mfe-blocks')).out).not.toContain('mfe-blocks');
    expect((await set('default')).out).toContain('act (the default)');
    expect((await harness.site('audit')).out).toMatch(/guard\.policy/);
    expect(await set('off', 'mfe-blokcs')).toMatchObject({
      code: 1,
      err: expect.stringContaining('app_unknown') as string,
    });
    expect((await set('loud')).code).toBe(2);
  });
});

test('guard status lists the apps without a proven-good fallback', async () => {
  const { registry } = harness;
  await registry.startSite();
  for (const contents of [2, 3]) await registry.publish(blocks(contents));
  await registry.activate({ 'mfe-blocks': canary });
  const warning = 'no proven-good fallback for: mfe-blocks';
  expect((await harness.site('guard', 'status')).out).toContain(warning);
  await registry.look();
  const edge = testEdge(registry);
  for (let batch = 0; batch < 20; batch++)
    await edge.tell([makeCell({ app: 'mfe-blocks', version: canary, views: 200 })]);
  await registry.look();
  await registry.activate({ 'mfe-blocks': blocks(3).version });
  expect((await harness.site('guard', 'status')).out).not.toContain(warning);
});

describe('activate --canary with several shares', () => {
  beforeEach(async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
  });
  const activate = (...args: string[]) =>
    harness.site('activate', `mfe-blocks@${canary}`, '--no-wait', ...args);

  test('leaves the rollout to the registry and shows how to follow it', async () => {
    const { code, out } = await activate('--canary', '1%,10%,100%', '--every', '10m');
    expect(code).toBe(0);
    expect(out).toMatch(/^r2 is a canary on production; "npx @site\/cli guard status" shows its progress\n/);
    expect(out).toContain('canary: r2 of mfe-blocks is shown to 1 % of visitors');
    expect((await harness.site('guard', 'status')).out).toContain(
      'the canary r2 of mfe-blocks has had 1 % since 2026-01-01 12:00:00 UTC; then 10 %, 100 %, at most every 10 minutes: it has begun',
    );
    const { code: raised } = await harness.site('canary', '10%', '--reason', 'a test');
    expect(raised).toBe(0);
    await harness.registry.look();
    const later = (await harness.site('guard', 'status')).out;
    expect(later).toContain(
      'the canary r2 of mfe-blocks has had 10 % since 2026-01-01 12:00:00 UTC; then 100 %, at most every 10',
    );
  });

  test('reports a stopped rollout', async () => {
    await activate('--canary', '1%,10%', '--every', '10m');
    await harness.site('canary', '10%', '--reason', 'a test');
    await harness.registry.look();
    expect((await harness.site('guard', 'status')).out).toContain(
      'the canary r2 of mfe-blocks has had 10 % since 2026-01-01 12:00:00 UTC; this is its last share\n',
    );
  });

  test('is rejected without an interval, with one share and an interval, and with falling shares', async () => {
    for (const wrong of [
      ['--canary', '1%,10%'],
      ['--canary', '10%', '--every', '10m'],
      ['--every', '10m'],
      ['--canary', '10%,1%', '--every', '10m'],
      ['--canary', '100%', '--every', '10m'],
      ['--canary', '1%,100%', '--every', '10'],
      ['--canary', '1%,100%', '--every', '8d'],
    ])
      expect([wrong, (await activate(...wrong)).code]).toEqual([wrong, 2]);
    expect((await harness.site('history')).out).not.toContain('r2');
  });
});

describe('health', () => {
  test('shows each version on each route, and watches until stopped', async () => {
    await startCanary(20);
    const { out } = await harness.site('health', 'mfe-blocks', '--route', '/blocks', '--since', '30m');
    expect(out).toMatch(
      new RegExp(
        `/blocks +mfe-blocks +${live} +1,800 +0\\.0 % \\(0\\.0 %–0\\.2 %\\) +- +- +- +1 of 4 +waiting\n`,
      ),
    );
    expect(out).toMatch(
      new RegExp(
        `/blocks +mfe-blocks +${canary} canary +200 +10\\.0 % \\(6\\.6 %–14\\.9 %\\) +\\d+ ms +- +- +- +bad`,
      ),
    );
    expect((await harness.site('health', '--versions', live, '--since', '7d')).out).not.toContain(canary);
    expect((await harness.site('health', '--route', '/partners')).out).toMatch(/^no data for production/);
    expect((await harness.site('health', '--since', 'yesterday')).code).toBe(2);

    const stop = new AbortController();
    let shown = '';
    const sink = createSink((text) => {
      shown += text;
      if (shown.split('VERDICT').length > 2) stop.abort();
    });
    const io = createIo(sink, sink, false);
    const watched = await runSite(['health', '--watch'], {
      root: harness.root,
      ownApp: null,
      env: {},
      io,
      signal: stop.signal,
    });
    expect(watched).toBe(0);
  });

  test('keeps watching while the registry is unreachable', async () => {
    await startCanary(20);
    let refusals = 0;
    // A reverse proxy that returns 503 when the registry is down.
    const front = createServer(({ url = '/', headers: { authorization = '' } }, response) => {
      if (refusals-- > 0) response.writeHead(502).end();
      else get(new URL(url, harness.url), { headers: { authorization } }, (answer) => answer.pipe(response));
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const stop = new AbortController();
    let told = '';
    const io = createIo(
      createSink(() => {
        if (told) stop.abort();
        refusals = 3;
      }),
      createSink((text) => {
        told += text;
      }),
      false,
    );
    const { port } = front.address() as AddressInfo;
    const env = { SITE_REGISTRY: `http://127.0.0.1:${port}` };
    const code = await runSite(['health', '--watch'], {
      root: harness.root,
      ownApp: null,
      env,
      io,
      signal: stop.signal,
    });
    front.close();
    expect(told).toMatch(/^[^\n]+ status 502 [^\n]+ Trying again every two seconds\.\n$/);
    expect(code).toBe(0);
  });
});

describe('faults', () => {
  test('shows source positions for a version that was published with source maps', async () => {
    await startCanary(20);
    const { bytes, sourceMaps } = await packMaps({ 'chunk.js': mapTo('mfe-blocks/src/blocks-page.tsx') });
    await harness.writeBuild({ ...blocks(2), sourceMaps });
    await writeFile(join(harness.root, 'mfe-blocks/dist', sourceMaps.path), bytes);
    const published = await harness.site('publish', 'mfe-blocks', '--no-build');
    expect(published.out).toMatch(/files +4, of which 1 \(/);
    expect((await harness.site('faults')).out).toMatch(/ mfe-blocks\/src\/blocks-page\.tsx:12:5 +\/blocks/);
  });

  test('lists browser errors with route and count', async () => {
    await startCanary(20);
    expect((await harness.site('faults')).out).toMatch(
      new RegExp(
        `150 +error +mfe-blocks@${canary} +x is undefined +/assets/mfe-blocks/chunk\\.js:3:14 +/blocks`,
      ),
    );
    expect((await harness.site('faults', 'mfe-partners')).out).toBe(
      'no faults reported for mfe-partners yet\n',
    );
    expect(await harness.siteJson('faults', `mfe-blocks@${canary}`)).toMatchObject({
      faults: [{ message: 'x is undefined', count: 150 }],
    });
  });
});
