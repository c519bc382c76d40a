import { sql } from 'kysely';
import type { VerificationAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createRegistryApp } from '../create-registry-app.ts';
import { chain, GENESIS_HASH } from '../kernel/audit-chain.ts';
import { createHarness, registryTables, testAuditKey } from '../testing/harness.ts';
import { anchorName, parseAnchorName, writeAnchor, type Anchor } from './anchor.ts';
import { createAuditKey } from './audit-key.ts';
import { createAuditAnchors, type AuditAnchors } from './audit-anchors.ts';
import { waitFor } from '@site/server/testing/wait-for';

const registry = forEachTest(createHarness);

async function verify(): Promise<VerificationAnswer['audit']> {
  const { body } = await registry.send<VerificationAnswer>('POST', '/v1/verifications', { body: {} });
  return body.audit;
}

const listAnchors = async () =>
  (await registry.store.records.names()).filter((name) => parseAnchorName(name)).sort();

const change = () => registry.send('POST', '/v1/tokens', { body: { name: 'team', scopes: ['read'] } });

/**
 * Waits until the entry of a change is anchored. Entry 1 names the configured tokens, so the first change is entry 2.
 */
function anchored(count: number): Promise<void> {
  return waitFor(async () =>
    expect((await listAnchors()).map((name) => parseAnchorName(name)?.sequence)).toContain(count + 1),
  );
}

function anchorsWith(key = testAuditKey): AuditAnchors {
  const { records } = registry.store;
  return createAuditAnchors({
    db: registryTables(registry),
    records,
    key,
    formerKeys: [],
    now: () => new Date(),
  });
}

/** Acts as an attacker with write access to the database, who can bypass the append-only trigger. */
async function asDatabaseWriter(...statements: string[]): Promise<void> {
  const db = registryTables(registry);
  await sql`alter table registry.audit_events disable trigger append_only`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const cutTo = (sequence: number) =>
  asDatabaseWriter(
    `delete from registry.audit_events where sequence > ${sequence}`,
    `update registry.audit_head set sequence = ${sequence}, hash = (select hash from registry.audit_events where sequence = ${sequence})`,
    `update registry.audit_anchored set sequence = ${sequence}`,
  );

/** Changes an entry and recomputes the whole chain, so that it is consistent. */
async function rewrite(sequence: number, by: string): Promise<void> {
  const db = registryTables(registry);
  await asDatabaseWriter(`update registry.audit_events set by = '${by}' where sequence = ${sequence}`);
  let hash = GENESIS_HASH;
  for (const row of await db.selectFrom('audit_events').selectAll().orderBy('sequence').execute()) {
    const next = chain({ ...row, at: row.at.toISOString() }, hash);
    const values = { previous_hash: hash, hash: next.hash };
    await db.updateTable('audit_events').set(values).where('sequence', '=', row.sequence).execute();
    hash = next.hash;
  }
  await db.updateTable('audit_head').set({ hash }).execute();
}

test('each change is anchored in the artifact store shortly afterwards', async () => {
  await change();
  await anchored(1);
  await change();
  await anchored(2);
  const { anchors } = await verify();
  expect(anchors).toMatchObject({
    key: testAuditKey.publicKey,
    newest: { sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    restored: [],
    problems: [],
  });
});

test('detects a log truncated in the database together with its recorded end', async () => {
  for (const sequence of [1, 2, 3, 4]) {
    await change();
    await anchored(sequence);
  }
  await cutTo(3);
  const { ok, entries, anchors } = await verify();
  expect({ ok, entries }).toEqual({ ok: true, entries: 3 });
  expect(anchors.problems).toEqual([
    expect.stringMatching(/^The log was shortened: it ends with entry 3, but entry 5 was anchored at /),
  ]);
});

test('detects a truncated log that has grown again, and preserves the evidence', async () => {
  for (const sequence of [1, 2, 3]) {
    await change();
    await anchored(sequence);
  }
  await cutTo(2);
  const before = await listAnchors();
  for (let more = 0; more < 6; more += 1) await change();
  expect((await verify()).anchors.problems).toEqual([
    expect.stringMatching(/^The log was rewritten: entry 3 is not what was anchored/),
  ]);
  expect(await listAnchors()).toEqual(before);
});

test('detects an emptied log', async () => {
  await change();
  await anchored(1);
  await asDatabaseWriter(
    'delete from registry.audit_events',
    `update registry.audit_head set sequence = 0, hash = repeat('0', 64)`,
    'delete from registry.audit_anchored',
  );
  expect((await verify()).anchors.problems).toEqual([
    expect.stringMatching(/shortened: it ends with entry 0/),
  ]);
});

test('detects a completely rewritten log with valid hashes', async () => {
  for (const sequence of [1, 2, 3]) {
    await change();
    await anchored(sequence);
  }
  await rewrite(3, 'somebody else');
  const { ok, anchors } = await verify();
  expect(ok).toBe(true);
  expect(anchors.problems).toEqual([expect.stringMatching(/^The log was rewritten: entry 3 /)]);
});

test('detects deleted anchors', async () => {
  for (const sequence of [1, 2, 3]) {
    await change();
    await anchored(sequence);
  }
  const [, second = '', third = ''] = await listAnchors();
  await registry.store.records.delete(second);
  expect((await verify()).anchors.problems).toEqual([
    'The anchor of entry 3 was taken out of the artifact store.',
  ]);
  await registry.store.records.delete(third);
  await change();
  expect((await verify()).anchors.problems).toContain(
    'The anchor of entry 4 was taken out of the artifact store.',
  );
});

test('detects and ignores forged or modified anchors', async () => {
  await change();
  await anchored(1);
  const { records } = registry.store;
  const other = createAuditKey('b'.repeat(43));
  const forged: Anchor = {
    anchor: 1,
    epoch: 7,
    sequence: 9,
    hash: 'f'.repeat(64),
    at: new Date().toISOString(),
    previous: null,
    continues: { sequence: 0, hash: GENESIS_HASH },
  };
  await records.add(anchorName(forged, other.publicKey), writeAnchor(forged, other));
  const lying = { ...other, publicKey: testAuditKey.publicKey };
  await records.add(anchorName(forged, lying.publicKey), writeAnchor(forged, lying));
  await records.add('audit-000009-0000000001-0123456789abcdef', Buffer.from('no anchor'));
  const { anchors } = await verify();
  expect(anchors).toMatchObject({ newest: { sequence: 2 }, restored: [] });
  expect(anchors.problems).toHaveLength(3);
  for (const told of [/is not an anchor/, /has a forged signature/, /is signed with another key/]) {
    expect(anchors.problems).toContainEqual(expect.stringMatching(told));
  }
  // Anchoring continues even with forged anchors.
  await change();
  await anchored(2);
});

test('entries left unanchored by a crashed registry are anchored at the next start', async () => {
  const { records } = registry.store;
  const add = jest.spyOn(records, 'add').mockRejectedValue(new Error('The process is gone.'));
  expect((await change()).status).toBe(201);
  expect((await change()).status).toBe(201);
  expect(await listAnchors()).toEqual([]);
  add.mockRestore();
  const { store, composer, database } = registry;
  const next = await createRegistryApp({ store, composer, database, auditKey: testAuditKey });
  await next.ready();
  await anchored(2);
  await next.close();
});

test('several registries can anchor the same log concurrently', async () => {
  const processes = Array.from({ length: 4 }, () => anchorsWith());
  for (let entry = 0; entry < 5; entry += 1) {
    await change();
    expect(await Promise.all(processes.map((anchors) => anchors.anchorEnd()))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  }
  const { entries, anchors } = await verify();
  expect({ entries, problems: anchors.problems, newest: anchors.newest?.sequence }).toEqual({
    entries: 6,
    problems: [],
    newest: 6,
  });
});

test('garbage collection deletes no anchors', async () => {
  await registry.startSite();
  await verify();
  const before = await listAnchors();
  registry.clock.now = new Date(Date.now() + 400 * 24 * 60 * 60_000);
  await registry.send('POST', '/v1/collections', { body: { keepReleases: 1, keepDays: 1 } });
  expect(await listAnchors()).toEqual(expect.arrayContaining(before));
  expect(before.length).toBeGreaterThan(0);
});

test('a registry with another key reports unknown anchors until the previous key is configured', async () => {
  await change();
  await anchored(1);
  const other = createAuditKey('c'.repeat(43));
  const { records } = registry.store;
  const db = registryTables(registry);
  const now = () => new Date();
  const stranger = createAuditAnchors({ db, records, key: other, formerKeys: [], now });
  expect((await stranger.read()).bad).toEqual([
    {
      name: expect.any(String) as string,
      problem: expect.stringMatching(/another key \(ed25519:/) as string,
    },
  ]);
  const formerKeys = [testAuditKey.publicKey];
  const successor = createAuditAnchors({ db, records, key: other, formerKeys, now });
  expect(await successor.read()).toMatchObject({ bad: [], anchors: [{ sequence: 2 }] });
});

test('after a restore into a new database over the same files, discarded entries are reported, but not as damage', async () => {
  await change();
  await change();
  await verify();
  const backup = await registry.app.inject({
    method: 'GET',
    url: '/v1/backup',
    headers: { authorization: `Bearer ${registry.tokens.ops}` },
  });
  for (const sequence of [3, 4, 5]) {
    await change();
    await anchored(sequence);
  }
  // The database is lost.
  await asDatabaseWriter(
    'delete from registry.audit_events',
    `update registry.audit_head set sequence = 0, hash = repeat('0', 64)`,
    'delete from registry.audit_anchored',
  );
  const restored = await registry.send('POST', '/v1/restore', {
    body: backup.rawPayload,
    headers: { 'content-type': 'application/x-tar' },
  });
  expect(restored.status).toBe(200);
  await change();
  const { entries, ok, anchors } = await verify();
  // Three entries, the restore, and the change after it.
  expect({ entries, ok, problems: anchors.problems }).toEqual({ entries: 5, ok: true, problems: [] });
  expect(anchors.restored).toEqual([{ at: expect.any(String) as string, sequence: 3, givenUp: 3 }]);
  expect(anchors.newest?.sequence).toBe(5);
  // The old anchors still cover the backup's entries.
  await rewrite(1, 'somebody else');
  expect((await verify()).anchors.problems).toEqual([expect.stringMatching(/^The log was rewritten/)]);
});
