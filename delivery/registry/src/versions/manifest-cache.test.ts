import { remoteManifest } from '../testing/manifests.ts';
import { createManifestCache, type VersionRow } from './manifest-cache.ts';

const manifest = remoteManifest('mfe-blocks');
const row: VersionRow = { app: 'mfe-blocks', version: manifest.version, sequence: 7, digest: 'd', bytes: 40 };
const limits = { bytes: 100, largest: 50 };

test('gives the manifest that was recorded, and no other one that was published under its id', () => {
  const cache = createManifestCache(limits);
  cache.add(row, manifest);
  expect(cache.get(row)).toBe(manifest);
  for (const other of [
    { sequence: 8 },
    { digest: 'e' },
    { bytes: 41 },
    { version: '1.0.0-other' },
    { app: 'x' },
  ])
    expect(cache.get({ ...row, ...other })).toBeUndefined();
});

test('keeps the most recently used entries, and no oversized ones', () => {
  const cache = createManifestCache(limits);
  const rows = [1, 2, 3].map((sequence) => ({ ...row, sequence }));
  for (const each of rows.slice(0, 2)) cache.add(each, manifest);
  cache.get({ ...row, sequence: 1 });
  cache.add({ ...row, sequence: 3 }, manifest);
  expect(rows.map((each) => cache.get(each) !== undefined)).toEqual([true, false, true]);
  const large = { ...row, sequence: 4, bytes: 51 };
  cache.add(large, manifest);
  expect(cache.get(large)).toBeUndefined();
});
