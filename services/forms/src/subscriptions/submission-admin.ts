import { formSources, type FormName } from '@site/contract';
import { createAdminAccess } from '@site/server/admin-access';
import { baseErrors } from '@site/server/base-errors';
import { JSON_API } from '@site/server/json-api';
import type { Operation } from '@site/server/service-description';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { FormsTables } from '../tables.ts';

/** The answer of `GET /admin/submissions`: newest first. */
export const SubmissionListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('submissions'),
      id: v.string(),
      attributes: v.object({
        source_id: v.string(),
        email: v.string(),
        /** By the names of the form; none of the newsletter. */
        fields: v.record(v.string(), v.unknown()),
        visitor_unique_id: v.string(),
        suspected_spam: v.boolean(),
        verified_by: v.picklist(['captcha', 'rate_limit']),
        created_at: v.string(),
        /** When it is removed; null where that does not depend on the form. */
        remove_at: v.nullable(v.string()),
      }),
    }),
  ),
  /** What to ask with for those before; null when there are none. */
  meta: v.object({ before: v.nullable(v.string()) }),
});

/** So many with one call. */
const PAGE = 200;

const QuerySchema = v.object({
  /** The name of a form of the site, or the identifier of one that a remote declares, live or not. */
  form: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  limit: v.pipe(
    v.optional(v.string(), '50'),
    v.regex(/^\d{1,3}$/),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(PAGE),
  ),
  /** `meta.before` of the answer before. */
  before: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}~[0-9a-f-]{36}$/),
      v.transform((text) => {
        const [at = '', id = ''] = text.split('~');
        return { at: new Date(Number(at)), id };
      }),
    ),
  ),
});

/** `GET /admin/submissions`: what came through one form, for whoever carries the admin token. */
export function addSubmissionAdmin(
  app: FastifyInstance,
  { adminToken, db }: { adminToken: string | null; db: Kysely<FormsTables> },
): void {
  const requireAdmin = createAdminAccess(adminToken);

  app.get('/admin/submissions', async (request, reply) => {
    requireAdmin(request);
    const query = v.safeParse(QuerySchema, request.query);
    if (!query.success) {
      const [issue] = query.issues;
      const parameter = v.getDotPath(issue) ?? 'form';
      throw baseErrors.request_malformed(
        `"${parameter}" cannot be read. Give "form", and perhaps "limit" (1 to ${PAGE}) and "before" (of the answer before).`,
        { source: { parameter } },
      );
    }
    const { form, limit, before } = query.output;
    const sourceId = Object.hasOwn(formSources, form) ? formSources[form as FormName] : form;
    const rows = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('source_id', '=', sourceId)
      .$if(before !== undefined, (select) =>
        select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '<', tuple(before?.at ?? new Date(0), before?.id ?? '')),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    request.log.info({ form: sourceId, count: shown.length }, 'listed submissions');
    const document: v.InferInput<typeof SubmissionListSchema> = {
      data: shown.map((row) => ({
        type: 'submissions',
        id: row.id,
        attributes: {
          source_id: row.source_id,
          email: row.email,
          fields:
            row.source_id === formSources.newsletter ? {} : (JSON.parse(row.form_fields) as object as never),
          visitor_unique_id: row.visitor_unique_id,
          suspected_spam: row.suspected_spam,
          verified_by: row.verified_by,
          created_at: row.created_at.toISOString(),
          remove_at: row.remove_at?.toISOString() ?? null,
        },
      })),
      meta: { before: last ? `${last.created_at.getTime()}~${last.id}` : null },
    };
    return reply.type(JSON_API).header('cache-control', 'no-store').send(document);
  });
}

const text = v.string();

/** How the call is described. */
export const submissionAdminOperations: Operation[] = [
  {
    method: 'get',
    path: '/admin/submissions',
    summary: 'List what came through a form',
    description:
      'For operators: the submissions of one form, newest first, suspected spam among them. The form is the name of one of ' +
      'the site, or the identifier of one that a remote declares, also when that is not live any more.',
    access: 'admin',
    parameters: [
      { name: 'form', in: 'query', required: true, schema: text },
      { name: 'limit', in: 'query', required: false, schema: text },
      { name: 'before', in: 'query', required: false, schema: text },
    ],
    answers: { 200: { description: 'The submissions.', schema: 'SubmissionList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
];
