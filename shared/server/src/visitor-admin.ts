import { randomUUID } from 'node:crypto';
import { UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { adminErrors, createAdminAccess } from './admin-access.ts';
import { JSON_API } from './json-api.ts';
import type { ResourceDocument } from './json-api.ts';
import type { Operation } from './service-description.ts';

/** Rows as they are stored, by the name of their table. */
export type VisitorRows = Record<string, Record<string, unknown>[]>;

/** How many rows of each table. */
export type RowCounts = Record<string, number>;

/** What a service stores about a visitor. */
export interface VisitorRecords {
  /** Every row about the visitor. Tables without one are there, empty. */
  read(id: string): Promise<VisitorRows>;
  /** Removes every row about the visitor; `audit` is kept in the same transaction, when there was any. */
  erase(id: string, audit: (rows: RowCounts) => AuditEntry): Promise<RowCounts>;
}

/** What is kept of an erasure: nothing that leads back to the visitor. */
export interface AuditEntry {
  id: string;
  at: Date;
  action: 'visitor-erased';
  /** JSON of `RowCounts`. */
  rows: string;
}

/** The table that keeps them, in the schema of each service. */
export interface AuditTables {
  audit: AuditEntry;
}

/** How many rows in all. */
export const countRows = (rows: RowCounts): number =>
  Object.values(rows).reduce((total, count) => total + count, 0);

const RowsSchema = v.record(v.string(), v.array(v.record(v.string(), v.unknown())));
const RowCountsSchema = v.record(v.string(), v.number());

/** The answer of `GET /admin/visitors/{id}`. */
export const VisitorExportSchema = v.object({
  data: v.object({ type: v.literal('visitors'), id: UuidSchema, attributes: RowsSchema }),
});

/** The answer of `DELETE /admin/visitors/{id}`. Its id is that of the entry in the table `audit`. */
export const VisitorErasureSchema = v.object({
  data: v.object({
    type: v.literal('visitor-erasures'),
    id: UuidSchema,
    attributes: v.object({ erased_at: v.string(), rows: RowCountsSchema }),
  }),
});

type VisitorRequest = FastifyRequest<{ Params: { id: string } }>;

/** The calls behind `npx site visitor export|erase`, for whoever carries the admin token. */
export function addVisitorAdmin(
  app: FastifyInstance,
  { adminToken, records, now }: { adminToken: string | null; records: VisitorRecords; now: () => number },
): void {
  const requireAdmin = createAdminAccess(adminToken);

  /** The id of the path, once it is certain that an operator asks. */
  function visitorOf(request: VisitorRequest): string {
    requireAdmin(request);
    const id = v.safeParse(UuidSchema, request.params.id);
    return id.success ? id.output : unknown(request.params.id);
  }

  const send = (reply: FastifyReply, data: ResourceDocument['data']): FastifyReply =>
    reply.type(JSON_API).header('cache-control', 'no-store').send({ data });

  app.get('/admin/visitors/:id', async (request: VisitorRequest, reply) => {
    const id = visitorOf(request);
    const rows = await records.read(id);
    if (Object.values(rows).every((found) => found.length === 0)) unknown(id);
    request.log.info('exported a visitor');
    return send(reply, { type: 'visitors', id, attributes: rows });
  });

  app.delete('/admin/visitors/:id', async (request: VisitorRequest, reply) => {
    const id = visitorOf(request);
    const audit = randomUUID();
    const at = new Date(now());
    const rows = await records.erase(id, (removed) => ({
      id: audit,
      at,
      action: 'visitor-erased',
      rows: JSON.stringify(removed),
    }));
    if (countRows(rows) === 0) unknown(id);
    request.log.info({ audit, rows }, 'erased a visitor');
    return send(reply, {
      type: 'visitor-erasures',
      id: audit,
      attributes: { erased_at: at.toISOString(), rows },
    });
  });
}

function unknown(id: string): never {
  throw adminErrors.visitor_unknown(`This service stores nothing about "${id.slice(0, 100)}".`);
}

/** How these calls are described. `what` says which data of a visitor the service has. */
export function visitorAdminOperations(what: string): Operation[] {
  const errors = ['admin_token_invalid', 'visitor_unknown'];
  return [
    {
      method: 'get',
      path: '/admin/visitors/{id}',
      summary: 'Export what is stored about a visitor',
      description: `For operators (npx site visitor export): ${what}, row by row.`,
      access: 'admin',
      answers: { 200: { description: 'The rows, by table.', schema: 'VisitorExport' } },
      errors,
    },
    {
      method: 'delete',
      path: '/admin/visitors/{id}',
      summary: 'Erase what is stored about a visitor',
      description:
        `For operators (npx site visitor erase): ${what}. All of it or nothing goes; an entry in the table audit says when ` +
        'and how many rows, and nothing of the visitor.',
      access: 'admin',
      answers: { 200: { description: 'What was removed.', schema: 'VisitorErasure' } },
      errors,
    },
  ];
}

/** The schemas of these calls' answers, by the names that the operations use. */
export const visitorAdminSchemas = {
  VisitorExport: VisitorExportSchema,
  VisitorErasure: VisitorErasureSchema,
};
