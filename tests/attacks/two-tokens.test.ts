import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagesFolder, startAttackSite } from './harness/attack-site.ts';

test('a team with two tokens does not hold all places of the composer', async () => {
  const site = await startAttackSite({ registryEnv: { COMPOSE_AT_ONCE: '2' } });
  const second = await mkdtemp(join(tmpdir(), 'site-second-app-'));
  try {
    const first = join(packagesFolder, 'mfe-wait');
    await cp(first, second, { recursive: true });
    await writeFile(
      join(second, 'package.json'),
      JSON.stringify({ name: 'mfe-wait-again', site: { paths: ['/wait-again'] } }),
    );
    await writeFile(
      join(second, 'server.js'),
      "exports['./wait-again-page'] = () => new Promise(() => setInterval(() => 0, 1e3));",
    );
    // Each app has a token of its own and the same owner. Packages are written once, then published several times.
    const hostile: Promise<unknown>[] = [];
    let isOver = false;
    for (const folder of [first, second, first, second, first, second]) hostile.push(site.publish(folder));
    const allHostile = Promise.all(hostile).then(() => (isOver = true));
    await site.assertOthersAreWell();
    expect(isOver).toBe(false);
    await allHostile;
  } finally {
    await rm(second, { recursive: true, force: true });
    await site.stop();
  }
});
