import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { completed } from '@site/edge/releases/registry-client';
import { loadRelease } from '@site/edge/releases/load-release';
import type { LoadedRelease } from '@site/edge/releases/loaded-release';
import { createMemoryStore } from '@site/edge/testing/memory-store';
import { createSampleRelease } from '@site/edge/testing/sample-release';
import { table } from './table.ts';

const REMOTES = 400;

/** The memory of an edge for releases of hundreds of remotes: objects and buffers after garbage collection. */
export async function memory(): Promise<string> {
  const store = createMemoryStore();
  const more = REMOTES - 4;
  const first = createSampleRelease(store, { id: 'r1', more });
  const next = createSampleRelease(store, { id: 'r2', more, editions: { 'mfe-blocks': 'two' } });
  const changed = Object.entries(next.manifests).filter(([name]) => !(name in first.manifests));
  // Copies the bytes, as an edge has its own, not the store's.
  const reading = {
    get: async (integrity: string) => ownCopy(await store.get(integrity)),
    getEncoded: store.getEncoded,
  };
  const rows: string[][] = [];
  let before = inUse();
  const note = (what: string) => {
    const now = inUse();
    rows.push([what, ((now - before) / 1e6).toFixed(1)]);
    before = now;
  };

  const document = structuredClone(first);
  const live = await loadRelease(document, reading);
  note(`a release of ${REMOTES} remotes with ${live.pages.size} pages`);
  const sent = { ...structuredClone(next), manifests: Object.fromEntries(changed), besides: 'r1' };
  const whole = completed(sent, document);
  if (!whole) throw new Error('The second release lacks a manifest.');
  const after = await loadRelease(whole, reading, { known: [live] });
  note('the next one, which changes one remote');
  await askForAll(after);
  note('all of its documents, asked for');
  // Keeps both releases reachable until here.
  if (live.pages.size !== after.pages.size) throw new Error('A page was lost.');
  return table(['in the memory of an edge', 'MB'], rows);
}

async function askForAll({ pages }: LoadedRelease): Promise<void> {
  for (const { documents } of pages.values()) for (const document of documents.values()) await document();
}

function ownCopy(bytes: Buffer | null): Buffer | null {
  return bytes && Buffer.from(bytes);
}

function inUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < 3; time += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
