import { sql } from 'kysely';
import { openDatabase } from './open-database.ts';
import { newPostgresDatabase, type PostgresDatabase } from './testing/each-database.ts';
import { hasPgBouncer, startPgBouncer } from './testing/start-pgbouncer.ts';
import { waitFor } from './testing/wait-for.ts';

(hasPgBouncer ? describe : describe.skip)(
  'behind PgBouncer (skipped without it: apt-get install pgbouncer)',
  () => {
    let server: PostgresDatabase;
    let stops: (() => Promise<void>)[];

    beforeEach(async () => {
      server = await newPostgresDatabase();
      stops = [];
    });
    afterEach(async () => {
      for (const stop of stops.reverse()) await stop();
      await server.drop();
    });

    test('in session mode everything works: notifications, and the statement timeout', async () => {
      const { url, stop } = await startPgBouncer(server.url, 'pool_mode = session');
      stops.push(stop);
      const warnings: string[] = [];
      const database = await openDatabase({ url, onWarning: (message) => warnings.push(message) });
      stops.push(() => database.close());
      const heard: string[] = [];
      await database.listen('news', (payload) => heard.push(payload));
      await database.notify('news', 'rain');
      await waitFor(() => expect(heard).toEqual(['rain']));
      const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(
        database.schema<never>('public'),
      );
      expect(rows).toEqual([{ limit: '15s' }]);
      expect(warnings).toEqual([]);
    });

    test.each([
      ['transaction', ''],
      ['transaction', 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'],
      ['statement', ''],
    ])('in %s mode the start fails with the remedy %s', async (mode, more) => {
      const { url, stop } = await startPgBouncer(server.url, `pool_mode = ${mode}\n${more}`);
      stops.push(stop);
      await expect(openDatabase({ url })).rejects.toMatchObject({
        code: 'sessions_shared',
        message: expect.stringMatching(/pool_mode = session.*DATABASE_URL to PostgreSQL directly/) as string,
      });
    });
  },
);
