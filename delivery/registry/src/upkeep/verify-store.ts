import type { VerificationAnswer } from '@site/contract';
import { compareAnchors } from './compare-anchors.ts';
import { allPages, keptVersions } from './collection.repository.ts';
import { checkAuditLog } from './audit-log-check.repository.ts';
import { findPacks, findSourceMaps, versionName, readManifests } from '../versions/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { examineBlobs } from '../kernel/blob-protection.ts';

type Artifacts = VerificationAnswer['artifacts'];

const NAMES_SHOWN = 5;

/** Damaged blobs count as missing until they are uploaded again. */
export async function verifyStore(context: RegistryContext): Promise<VerificationAnswer> {
  const audit = await checkLog(context);
  const named = await namedBlobs(context);
  const missing: Artifacts['missing'] = [];
  const damaged: Artifacts['damaged'] = [];
  await examineBlobs(context.store, [...named.keys()], (integrity, state) => {
    const usedBy = named.get(integrity)?.usedBy ?? [];
    if (state === 'missing') missing.push({ integrity, usedBy });
    else if (state !== 'good') damaged.push({ integrity, usedBy, what: state });
  });
  const byUse = (a: { usedBy: string[] }, b: { usedBy: string[] }) =>
    (a.usedBy[0] ?? '') < (b.usedBy[0] ?? '') ? -1 : 1;
  return {
    artifacts: { checked: named.size, missing: missing.sort(byUse), damaged: damaged.sort(byUse) },
    audit,
  };
}

export interface NamedBlob {
  usedBy: string[];
  isServed: boolean;
}

export async function namedBlobs({ db }: Pick<RegistryContext, 'db'>): Promise<Map<string, NamedBlob>> {
  const named = new Map<string, NamedBlob>();
  const add = (integrity: string, name: string, isServed: boolean) => {
    const blob = named.get(integrity) ?? { usedBy: [], isServed: false };
    if (blob.usedBy.length < NAMES_SHOWN) blob.usedBy.push(name);
    named.set(integrity, { ...blob, isServed: blob.isServed || isServed });
  };
  const kept = await keptVersions(db);
  for await (const { app, version, assets, server } of readManifests(db, kept)) {
    const name = versionName(app, version);
    for (const { path, integrity } of assets) add(integrity, `${name}: ${path}`, true);
    add(server.integrity, `${name}: ${server.path}`, false);
  }
  for (const [name, pack] of Object.entries(await findPacks(db, kept))) add(pack, `${name}: pack`, false);
  for (const [name, maps] of Object.entries(await findSourceMaps(db, kept)))
    add(maps, `${name}: source maps`, false);
  for (const { app, version, path, integrity, pack } of await allPages(db)) {
    const name = versionName(app, version);
    add(integrity, `${name}: page ${path}`, false);
    if (pack !== null) add(pack, `${name}: pack of pages`, false);
  }
  return named;
}

async function checkLog({ db, anchors }: RegistryContext): Promise<VerificationAnswer['audit']> {
  await anchors.anchorEnd();
  // Anchors before the log, so that every anchored entry is in it.
  const read = await anchors.read();
  const lastWritten = await anchors.lastWritten();
  const anchored = new Set(read.anchors.map(({ sequence }) => sequence));
  const hashes = new Map<number, string>();
  const { entries, ok, problem } = await checkAuditLog(db, {
    onEntry: (sequence, hash) => {
      if (anchored.has(sequence)) hashes.set(sequence, hash);
    },
  });
  const compared = compareAnchors(read, { entries, isWhole: ok, hashes, lastWritten });
  return { entries, ok, problem, anchors: { key: anchors.publicKey, ...compared } };
}
