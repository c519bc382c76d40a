import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchTree } from './watch-tree.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'site-watch-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('what changes in a folder is heard, also in one that took its place', async () => {
  const src = join(root, 'src');
  await mkdir(join(src, 'pages'), { recursive: true });
  const heard: (string | null)[] = [];
  const watched = watchTree(src, (file) => void heard.push(file));
  /** Writes until that is heard: when a system begins to watch is its own affair. */
  const untilHeard = async (file: string) => {
    heard.splice(0);
    while (!heard.includes(file)) {
      await writeFile(join(src, file), String(Math.random()));
      await sleep(5);
    }
  };
  await untilHeard('pages/a.ts');
  for (let times = 0; times < 2; times++) {
    await rm(src, { recursive: true });
    while (!heard.includes(null)) await sleep(5);
    await mkdir(join(src, 'pages'), { recursive: true });
    await untilHeard('pages/a.ts');
  }
  watched.close();
});
