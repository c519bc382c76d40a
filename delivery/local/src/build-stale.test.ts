import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildStale } from './build-stale.ts';
import { root } from './paths.ts';

test('starts no build after a stop was requested, and rejects with its reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'never-built-'));
  const reason = new Error('Ctrl-C');
  const app = relative(root, folder);
  await expect(buildStale([app], () => undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  await rm(folder, { recursive: true });
});
