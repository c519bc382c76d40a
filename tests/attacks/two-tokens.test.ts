import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAttackSite } from './harness/attack-site.ts';

const PAGES = 4;

/** A package whose pages are slow, each below the limit of a page. */
async function writeSlow(folder: string, app: string): Promise<void> {
  const names = Array.from({ length: PAGES }, (_, page) => `${app.slice(4)}-${page}`);
  const paths = names.map((name) => `/${app.slice(4)}/${name}`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: app, site: { paths } }));
  const page =
    "() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6e3); return '<p>slow</p>'; }";
  await writeFile(
    join(folder, 'server.js'),
    names.map((name) => `exports['./${app.slice(4)}-${name}-page'] = async ${page};`).join('\n'),
  );
}

test('a team with two tokens does not hold all places of the composer', async () => {
  const site = await startAttackSite({ registryEnv: { COMPOSE_AT_ONCE: '2' } });
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'site-slow-'))));
  try {
    await Promise.all(folders.map((folder, index) => writeSlow(folder, `mfe-slow${index}`)));
    // Each app has a token of its own and the same owner.
    let ended = 0;
    const hostile = folders.map((folder) => site.publish(folder).then(() => (ended += 1)));
    // The last one certainly arrives after both.
    for (let time = 0; time < 3; time += 1) await site.assertOthersAreWell();
    expect(ended).toBe(0);
    await Promise.all(hostile);
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    await site.stop();
  }
});
