import { countRows } from '@site/server/visitor-admin';
import type { VisitorRecords } from '@site/server/visitor-admin';
import type { Kysely } from 'kysely';
import type { GatewayTables } from './tables.ts';

/** What the gateway stores about a visitor: the guest. */
export function createVisitorRecords(db: Kysely<GatewayTables>): VisitorRecords {
  return {
    read: async (id) => ({
      guests: await db.selectFrom('guests').selectAll().where('unique_id', '=', id).execute(),
    }),

    erase: (id, audit) =>
      db.transaction().execute(async (transaction) => {
        const guests = await transaction
          .deleteFrom('guests')
          .where('unique_id', '=', id)
          .returning('unique_id')
          .execute();
        const rows = { guests: guests.length };
        if (countRows(rows) > 0) await transaction.insertInto('audit').values(audit(rows)).execute();
        return rows;
      }),
  };
}
