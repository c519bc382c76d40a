import { Client } from 'pg';
import type { Selectable } from 'kysely';
import type { FormsTables } from '@site/forms/kernel/tables';
import type { GatewayTables } from '@site/gateway/tables';
import { sharedSite } from './shared-site.ts';
import { PATIENCE_MS } from './until.ts';

type Row<Table> = Selectable<Table>;

/**
 * The services' rows, read from their database directly. Other tests write there concurrently: each test must read only
 * its own rows.
 */
export interface StoredRows {
  guest(id: string): Promise<Row<GatewayTables['guests']> | undefined>;
  guestsAmong(ids: string[]): Promise<string[]>;
  forgetGuest(id: string): Promise<void>;
  signingKey(): Promise<Row<GatewayTables['signing_keys']>>;
  identities(id: string): Promise<Row<FormsTables['identities']>[]>;
  subscriptions(email: string): Promise<Row<FormsTables['subscriptions']>[]>;
}

/**
 * The database of a site, open during the tests of this file or `describe`.
 * @param readUrl returns its URL after the preceding hooks. Default: the shared site's.
 */
export function storedRows(readUrl = () => sharedSite().databaseUrl): StoredRows {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: readUrl(), query_timeout: PATIENCE_MS });
    await client.connect();
  });
  afterAll(() => client.end());
  async function rows<T>(query: string, ...values: (string | string[])[]): Promise<T[]> {
    return (await client.query(query, values)).rows as T[];
  }
  return {
    guest: async (id) =>
      (await rows<Row<GatewayTables['guests']>>('select * from gateway.guests where unique_id = $1', id))[0],
    guestsAmong: async (ids) =>
      (
        await rows<{ unique_id: string }>(
          'select unique_id from gateway.guests where unique_id = any($1)',
          ids,
        )
      ).map(({ unique_id }) => unique_id),
    forgetGuest: async (id) => {
      await rows('delete from gateway.guests where unique_id = $1', id);
    },
    signingKey: async () =>
      (
        await rows<Row<GatewayTables['signing_keys']>>(
          'select * from gateway.signing_keys where active_from <= now() order by created_at desc limit 1',
        )
      )[0]!,
    identities: (id) => rows('select * from forms.identities where unique_id = $1', id),
    subscriptions: (email) => rows('select * from forms.subscriptions where email = $1', email),
  };
}
