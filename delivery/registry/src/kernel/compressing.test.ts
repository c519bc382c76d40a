import { setImmediate } from 'node:timers/promises';
import { ApiError } from '@site/server/api-error';
import { compressAssets, compressInTurn, createCompressingTurns } from './compressing.ts';
import type { ProtectedStore } from './context.ts';
import { remoteManifest } from '../testing/manifests.ts';

/** A compression that runs until the test ends it. */
function endless() {
  const ends: (() => void)[] = [];
  return {
    ends,
    work: () => new Promise<void>((end) => ends.push(end)),
  };
}

test('a token can run two compressions at a time, and another token does not wait for them', async () => {
  const context = { compressing: createCompressingTurns() };
  const flood = endless();
  const flooding = Array.from({ length: 40 }, () => compressInTurn(context, 'flood', flood.work));
  expect(await compressInTurn(context, 'other', () => Promise.resolve('done'))).toBe('done');
  expect(flood.ends).toHaveLength(2);
  while (flood.ends.length > 0) {
    for (const end of flood.ends.splice(0)) end();
    await setImmediate();
    expect(flood.ends.length).toBeLessThanOrEqual(2);
  }
  await Promise.all(flooding);
});

test('a token with a full queue is rejected with a retry time; others are not', async () => {
  const context = { compressing: createCompressingTurns() };
  const flood = endless();
  const results: unknown[] = [];
  for (let index = 0; index < 103; index += 1) {
    compressInTurn(context, 'flood', flood.work).catch((error: unknown) => results.push(error));
  }
  await setImmediate();
  expect(results).toHaveLength(1);
  expect(results[0]).toBeInstanceOf(ApiError);
  expect(results[0]).toMatchObject({ code: 'compression_busy', headers: { 'retry-after': '5' } });
  expect(await compressInTurn(context, 'other', () => Promise.resolve('done'))).toBe('done');
});

test('the public files of a version are compressed once each, the server bundle never', async () => {
  const manifest = remoteManifest('mfe-blocks');
  const [first] = manifest.assets;
  const twice = { ...manifest, assets: [...manifest.assets, { ...first!, path: 'again.js' }] };
  const compressed: string[] = [];
  const store = {
    compress: (integrity: string) => Promise.resolve(void compressed.push(integrity)),
  } as ProtectedStore;
  await compressAssets({ compressing: createCompressingTurns(), store }, twice, 'ci');
  expect(compressed.sort()).toEqual(manifest.assets.map(({ integrity }) => integrity).sort());
});
