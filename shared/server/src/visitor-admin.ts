import { randomUUID } from 'node:crypto';
import { EmailSchema, UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { adminErrors, createAdminAccess } from './admin-access.ts';
import { mountOperations } from './mount-calls.ts';
import type { Operations } from './service-description.ts';

export type VisitorRows = Record<string, Record<string, unknown>[]>;

export type RowCounts = Record<string, number>;

export type Visitor = { id: string; email?: never } | { email: string; id?: never };

export interface VisitorRecords {
  read(visitor: Visitor): Promise<VisitorRows>;
  erase(visitor: Visitor, audit: (rows: RowCounts) => ErasureEntry): Promise<RowCounts>;
}

export interface ErasureEntry {
  id: string;
  at: Date;
  action: 'visitor-erased';
  rows: string;
}

export interface AuditTables {
  audit: ErasureEntry;
}

export const countRows = (rows: RowCounts): number =>
  Object.values(rows).reduce((total, count) => total + count, 0);

const RowsSchema = v.record(v.string(), v.array(v.record(v.string(), v.unknown())));
const RowCountsSchema = v.record(v.string(), v.number());

export const VisitorExportSchema = v.object({
  data: v.object({ type: v.literal('visitors'), id: v.string(), attributes: RowsSchema }),
});

export const VisitorErasureSchema = v.object({
  data: v.object({
    type: v.literal('visitor-erasures'),
    id: UuidSchema,
    attributes: v.object({ erased_at: v.string(), rows: RowCountsSchema }),
  }),
});

export const visitorAdminSchemas = {
  VisitorExport: VisitorExportSchema,
  VisitorErasure: VisitorErasureSchema,
};

export function visitorAdminOperations(what: string) {
  const errors = ['admin_token_invalid', 'visitor_unknown'];
  return {
    exportVisitor: {
      method: 'get',
      path: '/admin/visitors/{id}',
      summary: 'Export all data of a visitor',
      description:
        `For operators (npx @site/cli visitor export): ${what}, row by row. The id is a guest id or ` +
        'an email address.',
      access: 'admin',
      answers: { 200: { description: 'The rows, by table.', schema: 'VisitorExport' } },
      errors,
    },
    eraseVisitor: {
      method: 'delete',
      path: '/admin/visitors/{id}',
      summary: 'Erase all data of a visitor',
      description:
        `For operators (npx @site/cli visitor erase): ${what}. Atomic; an entry in the table audit records the time ` +
        'and the number of rows, without personal data. The id is a guest id or an email address.',
      access: 'admin',
      answers: { 200: { description: 'What was removed.', schema: 'VisitorErasure' } },
      errors,
    },
  } satisfies Operations<keyof typeof visitorAdminSchemas>;
}

export function addVisitorAdmin(
  app: FastifyInstance,
  { adminToken, records, now }: { adminToken: string | null; records: VisitorRecords; now: () => number },
): void {
  const called = { operations: visitorAdminOperations(''), schemas: visitorAdminSchemas };
  const gates = { admin: createAdminAccess(adminToken) };
  mountOperations(app, called, gates, {
    async exportVisitor({ request }) {
      const visitor = readVisitor(request);
      const rows = await records.read(visitor);
      const id = visitor.id ?? visitor.email;
      if (Object.values(rows).every((found) => found.length === 0)) unknown(id);
      request.log.info('exported a visitor');
      return { data: { type: 'visitors', id, attributes: rows } };
    },

    async eraseVisitor({ request }) {
      const visitor = readVisitor(request);
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

function readVisitor({ params }: FastifyRequest): Visitor {
  const { id: given } = params as { id: string };
  const id = v.safeParse(UuidSchema, given);
  if (id.success) return { id: id.output };
  const email = v.safeParse(EmailSchema, given);
  return email.success ? { email: email.output.toLowerCase() } : unknown(given);
}

function unknown(id: string): never {
  throw adminErrors.visitor_unknown(`This service stores nothing about "${id.slice(0, 100)}".`);
}
