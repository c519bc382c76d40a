import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDocument } from '../delivery/harness/plain-visitor.ts';
import { until } from '../e2e/harness/until.ts';
import { startAttackSite } from './harness/attack-site.ts';

const APPS = ['mfe-maps-one', 'mfe-maps-two', 'mfe-maps-three'];
const SCRIPTS = Array.from({ length: 6 }, (_, index) => `chunk-${index}.js`);
const MAP_CHARACTERS = 4_000_000;

/** Source maps with a million sources each: about 40 KB that keep a processor busy for seconds. */
function packedMaps(): Buffer {
  const source = '"../a",';
  const sources = source.repeat(MAP_CHARACTERS / source.length).slice(0, -1);
  const map = `{"version":3,"sourceRoot":"https://a.b/c/","sources":[${sources}],"names":[],"mappings":";;aAWI"}`;
  return gzipSync(SCRIPTS.map((path) => `["${path}",${map}]\n`).join(''), { level: 9 });
}

test("source maps that take seconds to read do not delay another team's publish", async () => {
  const site = await startAttackSite();
  const folder = await mkdtemp(join(tmpdir(), 'site-maps-'));
  try {
    const maps = packedMaps();
    expect(maps.length).toBeLessThan(64 * 1024);
    await writeFile(join(folder, 'source-maps.gz'), maps);
    for (const [network, app] of APPS.entries()) {
      const path = `/${app.slice('mfe-'.length)}`;
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: app, site: { paths: [path] } }));
      expect(await site.publish(folder)).toMatchObject({ code: 0 });
      expect(await site.site('activate', app)).toMatchObject({ code: 0 });
      await until(async () => (await fetch(site.edgeUrl + path, { redirect: 'manual' })).status === 200);
      const page = await openDocument(site.edgeUrl, path, { network });
      const faults = SCRIPTS.map((script) => ({
        kind: 'error' as const,
        app,
        message: 'x is undefined',
        file: `/assets/${app}/${script}`,
        line: 3,
        column: 14,
      }));
      await page.tell(
        { kind: 'outcome', stretch: 'first', age: 5_000, faulty: [app] },
        { kind: 'faults', faults },
      );
    }
    for (const app of APPS)
      await until(async () => /"views": [1-9]/.test((await site.site('health', app, '--json')).out));

    let isRead = false;
    const faults = site.site('faults', '--json').finally(() => (isRead = true));
    await site.assertOthersAreWell();
    expect(isRead).toBe(false);
    const { code, out } = await faults;
    expect([code, out]).toEqual([0, expect.stringContaining('chunk-0.js') as string]);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await site.stop();
  }
});
