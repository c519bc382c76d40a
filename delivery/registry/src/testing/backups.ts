import { packageTarball, publishBody } from './package-tarball.ts';
import { sql } from 'kysely';
import { pack } from 'tar-stream';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import type { PreviewMade, RemoteManifest } from '@site/contract';
import type { Cell } from '@site/contract/signals/sums.schema';
import type { Database } from '@site/server/open-database';
import { HOUR_MS } from '@site/server/durations';
import { hashSecret } from '@site/server/secrets';
import { tablesInOrder } from '../kernel/table-dump.ts';
import { registryTables, type Body, type Harness } from './harness.ts';
import { remoteManifest } from './manifests.ts';
import { makeCell, networks, testEdge } from './signals.ts';

export async function takeBackup(registry: Harness): Promise<Buffer> {
  const response = await registry.app.inject({
    url: '/v1/backup',
    headers: { authorization: `Bearer ${registry.tokens.ops}` },
  });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-tar']);
  return response.rawPayload;
}

/** An archive with these blobs and no rows: the blobs are stored, then it is rejected. */
export async function archiveOfBlobs(blobs: readonly Buffer[]): Promise<Buffer> {
  const archive = pack();
  for (const bytes of blobs)
    archive.entry({ name: `artifacts/${integrityHex(computeIntegrity(bytes))}` }, bytes);
  archive.entry({ name: 'registry.ndjson' }, 'none');
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function restoreInto(
  registry: Harness,
  archive: Buffer,
  query: string = '',
  as: 'ops' | 'read' = 'ops',
): Promise<{ status: number; body: Body }> {
  return registry.send('POST', `/v1/restore${query}`, {
    as,
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });
}

export async function readRows(registry: Harness): Promise<Record<string, string[]>> {
  const db = registryTables(registry);
  const tables: Record<string, string[]> = {};
  for (const { name } of await tablesInOrder(db)) {
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(t)::text as row from registry.${sql.id(name)} t`.execute(db);
    tables[name] = rows.map(({ row }) => row).sort();
  }
  return tables;
}

export async function isEmpty(registry: Harness): Promise<boolean> {
  const { versions, releases, audit_events } = await readRows(registry);
  return [versions, releases, audit_events].every((rows) => rows?.length === 0);
}

/** Enough visitors to judge a version. */
export async function countVisitors(registry: Harness, ...cells: Cell[]): Promise<void> {
  await registry.look();
  const edge = testEdge(registry);
  for (let batch = 0; batch < 20; batch++) await edge.tell(cells);
  await registry.look();
}

/** Values that tests use again. */
interface Filled {
  next: RemoteManifest;
  secret: string;
  previewHash: string;
}

const filled = new WeakMap<Database, Filled>();

/** Creates a registry with something in every table. */
export async function fillRegistry(registry: Harness): Promise<Filled> {
  const { database } = registry;
  await registry.once('full', async () => void filled.set(database, await fillTables(registry)));
  return filled.get(database) as Filled;
}

async function fillTables(registry: Harness): Promise<Filled> {
  const { blocks } = await registry.startSite();
  const ofGood = makeCell({ app: 'mfe-blocks', version: blocks.version, views: 200 });
  const experiments = [
    { variants: 'headline=a,b', choice: 'headline=a', views: 200, reached: { start: 10 } },
  ];
  await countVisitors(registry, { ...ofGood, experiments });
  await registry.send('POST', '/v1/channels/production/guard', {
    body: { mode: 'suggest', reason: 'a fair' },
  });
  const text = Buffer.from('/* text that is worth compressing */\n'.repeat(100));
  const file = { path: 'page.abc.css', size: text.length, integrity: computeIntegrity(text) };
  await registry.send('PUT', `/v1/blobs/${integrityHex(file.integrity)}`, { body: text });
  const bad = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  const manifest = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
  const next = { ...manifest, assets: [...manifest.assets, file] };
  for (const version of [bad, next]) await registry.publish(version);
  await registry.activate({ 'mfe-blocks': bad.version }, {}, { headers: { 'idempotency-key': 'one' } });
  await registry.rollBack({ app: 'mfe-blocks' });
  const stages = { shares: [50, 100], everyMinutes: 10 };
  await registry.activate({ 'mfe-blocks': next.version }, { share: 12.5, stages });
  await countVisitors(registry, ofGood, {
    ...ofGood,
    version: next.version,
    role: 'canary',
    faults: 150,
    networks: networks(50),
  });
  await registry.send('POST', '/v1/channels/production/freezes', {
    body: { app: 'mfe-partners', reason: 'a fair' },
  });
  const made = await registry.send<{ id: string; token: string }>('POST', '/v1/tokens', {
    body: { name: 'ci cases', scopes: ['publish:mfe-cases'] },
  });
  await registry.send('POST', '/v1/trusts', {
    body: {
      app: 'mfe-cases',
      issuer: 'https://issuer.example.com',
      subject: 'repo:acme/cases:*',
      audience: 'https://registry.example.com',
    },
  });
  await registryTables(registry)
    .insertInto('used_id_tokens')
    .values({ digest: 'a'.repeat(64), expires_at: new Date(registry.clock.now.getTime() + HOUR_MS) })
    .execute();
  const kit = await packageTarball({ name: '@site/kit', version: '1.0.0' });
  await registry.send('PUT', '/npm/@site/kit', { body: publishBody(kit) });
  const preview = await registry.send<PreviewMade>('POST', '/v1/previews', {
    body: { app: 'mfe-blocks', version: next.version },
  });
  const linkId = new URL(String(preview.body.url)).searchParams.get('id') ?? '';
  return { next, secret: made.body.token, previewHash: hashSecret(linkId) };
}
