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

function untilLimit(awaited: string): () => boolean {
  const giveUpAt = performance.now() + 30_000;
  return () => {
    if (performance.now() > giveUpAt) throw new Error(`Not heard within 30 s: ${awaited}`);
    return true;
  };
}

test('changes in a folder are reported, even after it is replaced', async () => {
  const src = join(root, 'src');
  await mkdir(join(src, 'pages'), { recursive: true });
  const heard: (string | null)[] = [];
  const watched = watchTree(src, (file) => void heard.push(file));
  /** Writes until the change is reported, because systems start watching with a delay. */
  const untilHeard = async (file: string) => {
    heard.splice(0);
    const shouldContinue = untilLimit(`a change of ${file}`);
    while (!heard.includes(file) && shouldContinue()) {
      await writeFile(join(src, file), String(Math.random()));
      await sleep(5);
    }
  };
  await untilHeard('pages/a.ts');
  for (let times = 0; times < 2; times++) {
    await rm(src, { recursive: true });
    const shouldContinue = untilLimit('the folder is gone');
    while (!heard.includes(null) && shouldContinue()) await sleep(5);
    await mkdir(join(src, 'pages'), { recursive: true });
    await untilHeard('pages/a.ts');
  }
  watched.close();
});
