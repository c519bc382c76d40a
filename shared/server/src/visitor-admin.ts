import { randomUUID } from 'node:crypto';
import { EmailSchema, UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { adminErrors, createAdminAccess } from './admin-access.ts';
import { mountOperations } from './mount-operations.ts';
import type { Operations } from './service-description.ts';

/** Rows as they are stored, by the name of their table. */
export type VisitorRows = Record<string, Record<string, unknown>[]>;

/** How many rows of each table. */
export type RowCounts = Record<string, number>;

/** Whose data: that of a guest, or everything that contains an e-mail address (in lower case). */
export type Visitor = { id: string; email?: never } | { email: string; id?: never };

/** What a service stores about a visitor. */
export interface VisitorRecords {
  /** Every row about the visitor. Tables without one are there, empty. */
  read(visitor: Visitor): Promise<VisitorRows>;
  /** Removes every row about the visitor; `audit` is kept in the same transaction, when there was any. */
  erase(visitor: Visitor, audit: (rows: RowCounts) => ErasureEntry): Promise<RowCounts>;
}

/** What is kept of an erasure: nothing that leads back to the visitor. */
export interface ErasureEntry {
  id: string;
  at: Date;
  action: 'visitor-erased';
  /** JSON of `RowCounts`. */
  rows: string;
}

/** The table that keeps them, in the schema of each service. */
export interface AuditTables {
  audit: ErasureEntry;
}

/** How many rows in all. */
export const countRows = (rows: RowCounts): number =>
  Object.values(rows).reduce((total, count) => total + count, 0);

const RowsSchema = v.record(v.string(), v.array(v.record(v.string(), v.unknown())));
const RowCountsSchema = v.record(v.string(), v.number());

/** The answer of `GET /admin/visitors/{id}`. */
export const VisitorExportSchema = v.object({
  data: v.object({ type: v.literal('visitors'), id: v.string(), attributes: RowsSchema }),
});

/** The answer of `DELETE /admin/visitors/{id}`. Its id is that of the entry in the table `audit`. */
export const VisitorErasureSchema = v.object({
  data: v.object({
    type: v.literal('visitor-erasures'),
    id: UuidSchema,
    attributes: v.object({ erased_at: v.string(), rows: RowCountsSchema }),
  }),
});

/** The schemas of these calls' answers, by the names that the operations use. */
export const visitorAdminSchemas = {
  VisitorExport: VisitorExportSchema,
  VisitorErasure: VisitorErasureSchema,
};

/** These calls. `what` says which data of a visitor the service has. */
export function visitorAdminOperations(what: string) {
  const errors = ['admin_token_invalid', 'visitor_unknown'];
  return {
    exportVisitor: {
      method: 'get',
      path: '/admin/visitors/{id}',
      summary: 'Export what is stored about a visitor',
      description: `For operators (npx site visitor export): ${what}, row by row. The id is that of a guest, or an e-mail address.`,
      access: 'admin',
      answers: { 200: { description: 'The rows, by table.', schema: 'VisitorExport' } },
      errors,
    },
    eraseVisitor: {
      method: 'delete',
      path: '/admin/visitors/{id}',
      summary: 'Erase what is stored about a visitor',
      description:
        `For operators (npx site visitor erase): ${what}. All of it or nothing goes; an entry in the table audit says when ` +
        'and how many rows, and nothing of the visitor. The id is that of a guest, or an e-mail address.',
      access: 'admin',
      answers: { 200: { description: 'What was removed.', schema: 'VisitorErasure' } },
      errors,
    },
  } satisfies Operations<keyof typeof visitorAdminSchemas>;
}

/** The calls behind `npx site visitor export|erase`, for bearers of the admin token. */
export function addVisitorAdmin(
  app: FastifyInstance,
  { adminToken, records, now }: { adminToken: string | null; records: VisitorRecords; now: () => number },
): void {
  // Which data it is only matters where the calls are described.
  const called = { operations: visitorAdminOperations(''), schemas: visitorAdminSchemas };
  const gates = { admin: createAdminAccess(adminToken) };
  mountOperations(app, called, gates, {
    async exportVisitor({ request }) {
      const visitor = visitorOf(request);
      const rows = await records.read(visitor);
      const id = visitor.id ?? visitor.email;
      if (Object.values(rows).every((found) => found.length === 0)) unknown(id);
      request.log.info('exported a visitor');
      return { data: { type: 'visitors', id, attributes: rows } };
    },

    async eraseVisitor({ request }) {
      const visitor = visitorOf(request);
      const audit = randomUUID();
      const at = new Date(now());
      const rows = await records.erase(visitor, (removed) => ({
        id: audit,
        at,
        action: 'visitor-erased',
        rows: JSON.stringify(removed),
      }));
      if (countRows(rows) === 0) unknown(visitor.id ?? visitor.email);
      request.log.info({ audit, rows }, 'erased a visitor');
      return {
        data: { type: 'visitor-erasures', id: audit, attributes: { erased_at: at.toISOString(), rows } },
      };
    },
  });
}

/** Whom the path names. */
function visitorOf({ params }: FastifyRequest): Visitor {
  const { id: given } = params as { id: string };
  const id = v.safeParse(UuidSchema, given);
  if (id.success) return { id: id.output };
  const email = v.safeParse(EmailSchema, given);
  return email.success ? { email: email.output.toLowerCase() } : unknown(given);
}

function unknown(id: string): never {
  throw adminErrors.visitor_unknown(`This service stores nothing about "${id.slice(0, 100)}".`);
}
