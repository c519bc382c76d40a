import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { ArtifactStore, StoredEncoding } from '@site/artifacts/artifact-store';
import { integrityOf } from '@site/artifacts/integrity';
import type { VerificationAnswer } from '@site/contract';
import { checkAuditLog } from '../database/check-audit-log.ts';
import { versionName } from '../database/version.repository.ts';
import type { RegistryContext } from './context.ts';
import { inParallel } from './in-parallel.ts';
import { manifestsOf } from './needed-blobs.ts';

type Artifacts = VerificationAnswer['artifacts'];

const DECODERS: Record<StoredEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
};
/** Enough to find who is concerned. */
const NAMES_SHOWN = 5;

/** Reads every blob that a version, a release or a rendered page names, compares its hash, and checks the audit log. */
export async function verifyStore(context: RegistryContext): Promise<VerificationAnswer> {
  const audit = await checkAuditLog(context.db);
  const named = await namedBlobs(context);
  const missing: Artifacts['missing'] = [];
  const damaged: Artifacts['damaged'] = [];
  await inParallel(4, [...named], async ([integrity, { usedBy }]) => {
    const state = await stateOf(context.store, integrity);
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

/** A blob that must be there. */
export interface NamedBlob {
  /** Some of what names it, for people. */
  usedBy: string[];
  /** Whether browsers get it. */
  isServed: boolean;
}

/** Integrity → blob, of all that must be there. Versions that were collected name none any more. */
export async function namedBlobs({ db }: Pick<RegistryContext, 'db'>): Promise<Map<string, NamedBlob>> {
  const named = new Map<string, NamedBlob>();
  const add = (integrity: string, name: string, isServed: boolean) => {
    const blob = named.get(integrity) ?? { usedBy: [], isServed: false };
    if (blob.usedBy.length < NAMES_SHOWN) blob.usedBy.push(name);
    named.set(integrity, { ...blob, isServed: blob.isServed || isServed });
  };
  const versions = await db
    .selectFrom('versions')
    .select(['app', 'version'])
    .where('collected_at', 'is', null)
    .orderBy('sequence')
    .execute();
  const names = versions.map(({ app, version }) => versionName(app, version));
  for await (const { app, version, assets, server } of manifestsOf(db, names)) {
    const name = versionName(app, version);
    for (const { path, integrity } of assets) add(integrity, `${name}: ${path}`, true);
    add(server.integrity, `${name}: ${server.path}`, false);
  }
  const pages = await db
    .selectFrom('rendered_pages')
    .select(['app', 'app_version', 'path', 'integrity'])
    .orderBy('app')
    .orderBy('path')
    .execute();
  for (const { app, app_version, path, integrity } of pages) {
    add(integrity, `${versionName(app, app_version)}: page ${path}`, false);
  }
  return named;
}

async function stateOf(
  store: ArtifactStore,
  integrity: string,
): Promise<'good' | 'missing' | Artifacts['damaged'][number]['what']> {
  const bytes = await store.get(integrity);
  if (!bytes) return 'missing';
  if (integrityOf(bytes) !== integrity) return 'contents';
  for (const encoding of ['br', 'gzip'] as const) {
    const encoded = await store.getEncoded(integrity, encoding);
    if (!encoded) continue;
    const decoded = await DECODERS[encoding](encoded).catch(() => null);
    if (!decoded?.equals(bytes)) return 'copies';
  }
  return 'good';
}
