import fc from 'fast-check';
import { sql } from 'kysely';
import { openDatabase, type Database } from '@site/server/open-database';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import type { ChangeAnswer, ChannelAnswer, Release } from '@site/contract';
import { createRegistryApp } from '../create-registry-app.ts';
import { lockAuditLog } from '../kernel/audit.repository.ts';
import type { RegistryTables } from '../kernel/tables.ts';
import { checkAuditLog } from '../upkeep/audit-log-check.repository.ts';
import { createHarness, registryTables, type Harness, testAuditKey } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { waitFor } from '@site/server/testing/wait-for';

/** An author's action, without checking the state first. */
type Command =
  | { do: 'activate' | 'canary' | 'rollback'; app: string; contents: number }
  | { do: 'promote' | 'abort' | 'share' | 'freeze' | 'unfreeze' }
  | { do: 'quarantine'; app: string; contents: number };

const app = fc.constantFrom('mfe-blocks', 'mfe-partners');
const contents = fc.integer({ min: 1, max: 4 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('activate' as const), app, contents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('canary' as const), app, contents }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rollback' as const), app, contents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('quarantine' as const), app, contents }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('promote', 'abort', 'share', 'freeze', 'unfreeze'),
    }),
  },
);

const makeVersion = (name: string, number: number) => remoteManifest(name, { contents: number }).version;

interface Told {
  command: Command;
  status: number;
  body: ChangeAnswer;
}

describe('concurrent authors', () => {
  let server: TestDatabase & { url: string };
  /** The authors use two registries, each with its own connections. */
  let second: Database;
  beforeAll(async () => {
    server = await startDatabase();
    second = await openDatabase({ url: server.url });
  });
  afterAll(async () => {
    await second.close();
    await server.stop();
  });

  test('for concurrent changes of several authors, the final state is explained by the acknowledged changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 4 }),
        async (authors) => {
          const registry = await createHarness(server.database);
          const other = await createRegistryApp({
            database: second,
            store: registry.store,
            composer: registry.composer,
            auditKey: testAuditKey,
          });
          try {
            await registry.startSite();
            for (const name of ['mfe-blocks', 'mfe-partners']) {
              for (const number of [2, 3, 4]) await publish(registry, name, number);
            }
            const told = await Promise.all(
              authors.map(async (commands, index) => {
                const answers: Told[] = [];
                for (const one of commands) {
                  answers.push(await carryOut(registry, index % 2 === 0 ? registry.app : other, one));
                }
                return answers;
              }),
            );
            await checkExplained(registry, told.flat());
          } finally {
            await other.close();
            await registry.stop();
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('publishing again does not lock a version that a rollback may reference', async () => {
    // The embedded database is single-threaded.
    const registry = await createHarness(server.database);
    try {
      const { blocks } = await registry.startSite();
      await publish(registry, 'mfe-blocks', 2);
      const publishing = await second
        .schema<RegistryTables>('registry')
        .transaction()
        .execute(async (rollback) => {
          await lockAuditLog(rollback);
          // An object, or the transaction would wait for the response.
          const started = { answer: republish(registry, 1) };
          await waitFor(() => isAnyoneWaiting(rollback));
          await rollback
            .selectFrom('versions')
            .select('version')
            .where('version', '=', blocks.version)
            .modifyEnd(sql`for key share nowait`)
            .executeTakeFirstOrThrow();
          return started;
        });
      expect((await publishing.answer).status).toBe(200);
    } finally {
      await registry.stop();
    }
  });

  test('the end of a preview does not lock what a quarantine may end', async () => {
    const registry = await createHarness(server.database);
    try {
      const { blocks } = await registry.startSite();
      const { id } = (
        await registry.send<{ id: string }>('POST', '/v1/previews', {
          body: { app: 'mfe-blocks', version: blocks.version },
        })
      ).body;
      const ending = await second
        .schema<RegistryTables>('registry')
        .transaction()
        .execute(async (quarantine) => {
          await lockAuditLog(quarantine);
          const started = {
            answer: registry.send('POST', `/v1/previews/${id}/revocations`, { body: { reason: 'done' } }),
          };
          await waitFor(() => isAnyoneWaiting(quarantine));
          await quarantine
            .selectFrom('previews')
            .select('id')
            .where('id', '=', id)
            .modifyEnd(sql`for update nowait`)
            .executeTakeFirstOrThrow();
          return started;
        });
      expect((await ending.answer).status).toBe(200);
    } finally {
      await registry.stop();
    }
  });
});

const republish = (registry: Harness, number: number) =>
  registry.send('POST', '/v1/versions', { body: makeBlocks(number) });

const makeBlocks = (number: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: number });

async function publish(registry: Harness, name: string, number: number): Promise<void> {
  const manifest =
    name === 'mfe-blocks'
      ? makeBlocks(number)
      : remoteManifest(name, { variants: { headline: ['a', 'b'] }, contents: number });
  const { status } = await registry.publish(manifest, { query: '?live-checks=defer' });
  expect(status).toBe(201);
}

async function carryOut(registry: Harness, to: Harness['app'], command: Command): Promise<Told> {
  const [path, body] = toRequest(command);
  const answer = await to.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${registry.tokens.ops}` },
    payload: { reason: 'a race', ...body },
  });
  // A rejection is a response; anything else would be an unexplained change.
  if (answer.statusCode >= 500) throw new Error(`${command.do}: ${answer.body}`);
  return { command, status: answer.statusCode, body: answer.json() };
}

function toRequest(command: Command): [path: string, body: object] {
  const channel = '/v1/channels/production';
  switch (command.do) {
    case 'activate':
      return [`${channel}/releases`, { apps: { [command.app]: makeVersion(command.app, command.contents) } }];
    case 'canary':
      return [
        `${channel}/releases`,
        { apps: { [command.app]: makeVersion(command.app, command.contents) }, share: 10 },
      ];
    case 'rollback':
      return [`${channel}/rollbacks`, { app: command.app }];
    case 'promote':
      return [`${channel}/promotions`, {}];
    case 'abort':
      return [`${channel}/aborts`, {}];
    case 'share':
      return [`${channel}/canary`, { share: 50 }];
    case 'freeze':
      return [`${channel}/freezes`, { app: 'mfe-partners' }];
    case 'unfreeze':
      return [`${channel}/unfreezes`, { app: 'mfe-partners' }];
    case 'quarantine':
      return [
        `/v1/apps/${command.app}/versions/${makeVersion(command.app, command.contents)}/quarantines`,
        {},
      ];
  }
}

type Listed = Release & { canary: boolean; revoked: boolean };

async function checkExplained(registry: Harness, told: Told[]): Promise<void> {
  const { body: now } = await registry.send<ChannelAnswer>('GET', '/v1/channels/production');
  const { body: history } = await registry.send<{ releases: Listed[] }>(
    'GET',
    '/v1/channels/production/releases?limit=200',
  );
  const releases = new Map(history.releases.map((release) => [release.id, release]));
  const changed = told.filter(({ status, body }) => status < 300 && body.changed);
  const did = (...what: Command['do'][]) => changed.filter(({ command }) => what.includes(command.do));

  // The live releases form one chain from the first to the current one, with no acknowledged release outside …
  const line: string[] = [];
  for (let id = now.state.live; id; id = releases.get(id)?.parent ?? null) line.push(id);
  const acknowledged = did('activate', 'rollback', 'promote').map(({ body }) => body.release.id);
  expect(line.toReversed()).toEqual([
    'r1',
    ...acknowledged.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  ]);

  // … and each differs from the previous one exactly by its author's change.
  for (const { body } of did('activate', 'rollback', 'promote', 'canary')) {
    const made = releases.get(body.release.id);
    const parent = releases.get(made?.parent ?? '');
    const expected = { ...parent?.apps };
    for (const { app: name, from, to } of body.changes) {
      expect(expected[name]).toBe(from);
      expected[name] = to ?? '';
    }
    expect(made?.apps).toEqual(expected);
  }

  // Every canary that started is running, or its end was reported once.
  const begun = did('canary').map(({ body }) => body.release.id);
  const rolledBack = did('rollback').flatMap(({ body }) => body.canariesEnded ?? []);
  const ends = did('promote', 'abort').length + rolledBack.length;
  expect(begun.length - ends).toBe(now.state.canaries.length);
  for (const { app, release } of now.canaries) {
    expect(begun).toContain(release.id);
    expect(now.canaries.filter((other) => other.app === app)).toHaveLength(1);
    expect(release.apps[app]).not.toBe(now.release?.apps[app]);
  }

  // Removed versions are gone, and no visitor still sees them.
  for (const { body } of did('abort', 'rollback')) {
    for (const id of body.revoked ?? []) expect(now.state.revoked).toContain(id);
  }
  expect(now.state.revoked).not.toContain(now.state.live);
  for (const { release } of now.state.canaries) expect(now.state.revoked).not.toContain(release);

  // The log has one unbroken chain, with an entry for each change.
  const rows = await registryTables(registry)
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('sequence')
    .execute();
  expect(await checkAuditLog(registryTables(registry))).toMatchObject({ ok: true, problem: null });
  const count = (action: RegExp) => rows.filter((row) => action.test(row.action)).length;
  expect(count(/^release\./)).toBe(1 + acknowledged.length);
  expect(count(/^canary\.started$/)).toBe(begun.length);
  expect(count(/^canary\.share$/)).toBe(did('share').length);

  // No version gained visitors after it was quarantined, nor an app while it was frozen.
  checkOrder(rows);
}

function checkOrder(rows: { action: string; subject: string; details: Record<string, unknown> }[]): void {
  const quarantined = new Set<string>();
  const frozen = new Set<unknown>();
  for (const { action, subject, details } of rows) {
    if (action === 'version.quarantined') quarantined.add(subject);
    if (action === 'version.unquarantined') quarantined.delete(subject);
    if (action === 'channel.frozen') frozen.add(details['app']);
    if (action === 'channel.unfrozen') frozen.delete(details['app']);
    const brings = /^release\.(activate|promote)$|^canary\.started$/.test(action);
    for (const { app: name, to } of brings ? (details['changes'] as ChangeAnswer['changes']) : []) {
      expect(quarantined).not.toContain(`${name}@${to}`);
      expect(frozen).not.toContain(name);
    }
  }
}
