import { countRows, type Visitor, type VisitorRecords } from '@site/server/visitor-admin';
import { sql, type Kysely } from 'kysely';
import type { GatewayTables } from './tables.ts';

const isTheirs = ({ id, email }: Visitor) =>
  email === undefined ? sql<boolean>`unique_id = ${id}` : sql<boolean>`lower(email) = ${email}`;

export function createVisitorRecords(db: Kysely<GatewayTables>): VisitorRecords {
  return {
    read: async (visitor) => ({
      guests: await db.selectFrom('guests').selectAll().where(isTheirs(visitor)).execute(),
    }),

    erase: (visitor, audit) =>
      db.transaction().execute(async (transaction) => {
        const guests = await transaction
          .deleteFrom('guests')
          .where(isTheirs(visitor))
          .returning('unique_id')
          .execute();
        const rows = { guests: guests.length };
        if (countRows(rows) > 0) await transaction.insertInto('audit').values(audit(rows)).execute();
        return rows;
      }),
  };
}
