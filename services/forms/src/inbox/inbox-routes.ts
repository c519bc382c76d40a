import { formOfSource, formSources, HONEYPOT_FIELD, UuidSchema, type FormName } from '@site/contract';
import {
  InboxFormSchema,
  LookSchema,
  MOST_SUBMISSIONS,
  SubmissionFilterSchema,
  SubmissionMarkSchema,
  type InboxResource,
  type SubmissionResource,
} from '@site/contract/inbox.schema';
import { JSON_API } from '@site/server/json-api';
import { jsonApiCall } from '@site/server/json-api-call';
import { parseBody } from '@site/server/validate';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { formsErrors } from '../errors.ts';
import type { KnownForms } from '../known-forms/known-forms.ts';
import { cursorOf, cursorSchema, ofQuery, pageSizeSchema, readQuery } from './inbox-query.ts';
import { stateOf, type InboxCounts, type InboxRepository, type SubmissionRow } from './inbox.repository.ts';

export interface InboxOptions {
  /** See `createInboxAccess`. */
  requireReader: (request: FastifyRequest) => string;
  inbox: InboxRepository;
  forms: KnownForms;
  now: () => number;
}

const QuerySchema = v.object({
  'filter[form]': InboxFormSchema,
  'filter[state]': v.optional(SubmissionFilterSchema, 'new'),
  'page[size]': pageSizeSchema(50, MOST_SUBMISSIONS),
  'page[before]': v.optional(cursorSchema),
  /** A name of our own: JSON:API keeps those of small letters alone for itself. */
  lookFor: v.optional(LookSchema, 'list'),
});

type SubmissionRequest = FastifyRequest<{ Params: { id: string } }>;

/** What was sent: listed, shown and marked, for the registry and bearers of the admin token. Each look is logged. */
export function addInbox(app: FastifyInstance, { requireReader, inbox, forms, now }: InboxOptions): void {
  const looking = (request: FastifyRequest) => ({ by: requireReader(request), at: new Date(now()) });
  const send = (reply: FastifyReply, document: object): FastifyReply =>
    reply.type(JSON_API).header('cache-control', 'no-store').send(document);

  app.get('/admin/inboxes', jsonApiCall(), async (request, reply) => {
    requireReader(request);
    const counted = new Map((await inbox.counts()).map((counts) => [counts.sourceId, counts]));
    for (const sourceId of Object.values(formSources))
      if (!counted.has(sourceId))
        counted.set(sourceId, { sourceId, new: 0, handled: 0, spam: 0, newestAt: null });
    const data = [...counted.values()]
      .map((counts) => inboxResource(counts, forms))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return send(reply, { data });
  });

  app.get('/admin/submissions', ofQuery(QuerySchema), async (request, reply) => {
    const look = looking(request);
    const {
      'filter[form]': form,
      'filter[state]': state,
      'page[size]': limit,
      'page[before]': before = null,
      lookFor,
    } = readQuery(QuerySchema, request);
    const sourceId = Object.hasOwn(formSources, form) ? formSources[form as FormName] : form;
    const { rows, more } = await inbox.list({ sourceId, state, limit, before }, lookFor, look);
    const last = more ? rows.at(-1) : undefined;
    return send(reply, {
      data: rows.map(submissionResource),
      meta: { before: last ? cursorOf(last.created_at, last.id) : null },
    });
  });

  app.get('/admin/submissions/:id', jsonApiCall(), async (request: SubmissionRequest, reply) => {
    const look = looking(request);
    const id = idOf(request);
    const row = (await inbox.show(id, look)) ?? unknown(id);
    return send(reply, { data: submissionResource(row) });
  });

  app.patch('/admin/submissions/:id', jsonApiCall(), async (request: SubmissionRequest, reply) => {
    const look = looking(request);
    const id = idOf(request);
    const { data } = parseBody(SubmissionMarkSchema, request.body);
    if (data.id !== id)
      throw formsErrors.submission_id_mismatch('"id" differs from the id in the path.', {
        source: { pointer: '/data/id' },
      });
    const row = (await inbox.mark(id, data.attributes.state, look)) ?? unknown(id);
    return send(reply, { data: submissionResource(row) });
  });
}

function idOf({ params }: SubmissionRequest): string {
  const id = v.safeParse(UuidSchema, params.id);
  return id.success ? id.output : unknown(params.id);
}

function unknown(id: string): never {
  throw formsErrors.submission_unknown(`No submission has the id "${id.slice(0, 100)}".`);
}

function submissionResource(row: SubmissionRow): SubmissionResource {
  const fields =
    row.source_id === formSources.newsletter
      ? {}
      : (JSON.parse(row.form_fields) as SubmissionResource['attributes']['fields']);
  // Nobody is asked for it; it says something only where a program has filled it in.
  const { [HONEYPOT_FIELD]: honeypot = '', ...others } = fields;
  return {
    type: 'submissions',
    id: row.id,
    attributes: {
      form: nameOf(row.source_id),
      source_id: row.source_id,
      email: row.email,
      fields: honeypot === '' ? others : fields,
      visitor_unique_id: row.visitor_unique_id,
      state: stateOf(row),
      marked_by: row.marked_by,
      marked_at: row.marked_at?.toISOString() ?? null,
      verified_by: row.verified_by,
      created_at: row.created_at.toISOString(),
      remove_at: row.remove_at?.toISOString() ?? null,
    },
  };
}

function inboxResource({ sourceId, newestAt, ...counts }: InboxCounts, forms: KnownForms): InboxResource {
  return {
    type: 'inboxes',
    id: nameOf(sourceId),
    attributes: {
      source_id: sourceId,
      title: forms.newestOf(sourceId)?.definition.title ?? sourceId,
      ...counts,
      newest_at: newestAt?.toISOString() ?? null,
    },
  };
}

/** A form of the site by its name, as people say it; others by their identifier. */
const nameOf = (sourceId: string): string => formOfSource(sourceId) ?? sourceId;
