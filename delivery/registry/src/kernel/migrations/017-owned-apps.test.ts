import { sql } from 'kysely';
import type { Database } from '@site/server/open-database';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { registryMigrations } from '../migrations.ts';
import { addOwnedApps } from './017-owned-apps.ts';

const before = registryMigrations.slice(
  0,
  registryMigrations.findIndex(({ up }) => up === addOwnedApps),
);
const SCHEMA = 'registry';

interface Apps {
  apps: { app: string; owner: string; paths: string[]; by: string };
}

async function olderSchema(database: Database) {
  const db = database.schema<Apps>('public');
  await sql`drop schema if exists registry cascade`.execute(db);
  await database.migrate(SCHEMA, before);
  return {
    db: database.schema<Apps>(SCHEMA),
    migrate: () => database.migrate(SCHEMA, registryMigrations),
    // The next test recreates its schema.
    stop: () => sql`drop schema registry cascade`.execute(db).then(() => undefined),
  };
}

describe.each(databases)('apps published earlier, on $name', ({ start }) => {
  const old = forEachTest(olderSchema, start);

  async function publish(app: string, number: number, paths: string[], from: string[] = []): Promise<string> {
    const version = `1.0.0-${String(number).padStart(12, '0')}`;
    const manifest = JSON.stringify({
      app,
      owner: `team-${app}`,
      ...(app === 'shell'
        ? {}
        : {
            pages: paths.map((path) => ({ path })),
            redirects: from.map((source) => ({ from: source, to: '/x' })),
          }),
      assets: [],
      server: { size: 1 },
    });
    await sql`
      insert into registry.versions (app, version, manifest, content_digest, published_by, published_at)
      values (${app}, ${version}, ${manifest}::jsonb, ${`${app}${number}`}, 'tom', now())`.execute(old.db);
    return version;
  }

  async function release(
    pointer: 'stable' | 'candidate',
    apps: Record<string, string>,
    { channel = 'production', absent = {} }: { channel?: string; absent?: Record<string, string> } = {},
  ): Promise<void> {
    const { rows } = await sql<{ number: number }>`
      insert into registry.releases (number, channel, kind, as_candidate, config, config_digest, by, reason, at, absent)
      select coalesce(max(number), 0) + 1, ${channel}, 'activate', ${pointer === 'candidate'}, '{}', 'd', 'tom', 'why',
        now(), ${JSON.stringify(absent)}::jsonb
      from registry.releases
      returning number`.execute(old.db);
    const number = rows[0]?.number ?? 0;
    for (const [app, version] of Object.entries(apps)) {
      await sql`
        insert into registry.release_apps (release, channel, app, version)
        values (${number}, ${channel}, ${app}, ${version})`.execute(old.db);
    }
    const set =
      pointer === 'stable'
        ? sql`stable = ${number}`
        : sql`candidate = ${number}, candidate_basis_points = 100, candidate_first = ${number}`;
    await sql`update registry.channels set ${set} where name = ${channel}`.execute(old.db);
  }

  const registered = async () => {
    await old.migrate();
    const rows = await old.db.selectFrom('apps').selectAll().orderBy('app').execute();
    return Object.fromEntries(rows.map(({ app, owner, paths, by }) => [app, { owner, paths, by }]));
  };

  test('an empty registry has none', async () => {
    expect(await registered()).toEqual({});
  });

  test('each has the paths of its live pages and redirects, and of its newest version', async () => {
    const shell = await publish('shell', 1, []);
    const home = await publish('mfe-home', 1, ['/home'], ['/', '*']);
    await publish('mfe-home', 2, ['/home', '/soon']);
    await publish('mfe-draft', 1, ['/draft']);
    await release('stable', { shell, 'mfe-home': home });
    expect(await registered()).toEqual({
      shell: { owner: 'team-shell', paths: [], by: 'tom' },
      'mfe-home': { owner: 'team-mfe-home', paths: ['*', '/', '/home', '/soon'], by: 'tom' },
      'mfe-draft': { owner: 'team-mfe-draft', paths: ['/draft'], by: 'tom' },
    });
  });

  test('versions live on production come first, then versions live anywhere, then drafts', async () => {
    const live = await publish('mfe-live', 1, ['/one', '/two']);
    const staged = await publish('mfe-staged', 1, ['/two', '/three']);
    const canary = await publish('mfe-canary', 1, ['/three', '/four']);
    const out = await publish('mfe-out', 1, ['/four', '/five']);
    await publish('mfe-draft', 1, ['/one', '/five', '/six']);
    await release('stable', { 'mfe-live': live }, { absent: { 'mfe-out': out } });
    await release('candidate', { 'mfe-live': live, 'mfe-canary': canary });
    await release('stable', { 'mfe-staged': staged }, { channel: 'staging' });
    const paths = Object.fromEntries(
      Object.entries(await registered()).map(([app, row]) => [app, row.paths]),
    );
    expect(paths).toEqual({
      'mfe-live': ['/one', '/two'],
      'mfe-canary': ['/four', '/three'],
      'mfe-staged': [],
      'mfe-out': ['/five'],
      'mfe-draft': ['/six'],
    });
  });
});
