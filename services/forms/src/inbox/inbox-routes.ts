import { formOfSource, formSources, HONEYPOT_FIELD, UuidSchema, type FormName } from '@site/contract';
import type { InboxResource, SubmissionResource } from '@site/contract/inbox.schema';
import { mountOperations } from '@site/server/mount-calls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { formsErrors } from '../kernel/errors.ts';
import type { KnownForms } from '../submissions/known-forms.ts';
import { inboxOperations, inboxSchemas, submissionOperations, toCursor } from './inbox-operations.ts';
import {
  submissionState,
  type InboxCounts,
  type InboxRepository,
  type Reading,
  type SubmissionRow,
} from './inbox.repository.ts';

export interface InboxOptions {
  authorize: (request: FastifyRequest) => Reading;
  inbox: InboxRepository;
  forms: KnownForms;
}

export function addInbox(app: FastifyInstance, { authorize, inbox, forms }: InboxOptions): void {
  const gates = { admin: authorize };
  mountOperations(app, { operations: inboxOperations, schemas: inboxSchemas }, gates, {
    async countInboxes() {
      const counted = new Map((await inbox.counts()).map((counts) => [counts.sourceId, counts]));
      for (const sourceId of Object.values(formSources))
        if (!counted.has(sourceId))
          counted.set(sourceId, { sourceId, new: 0, handled: 0, spam: 0, newestAt: null });
      const data = [...counted.values()]
        .map((counts) => inboxResource(counts, forms))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { data };
    },

    async listSubmissions({ caller, query }) {
      const {
        'filter[form]': form,
        'filter[state]': state,
        'page[size]': limit,
        'page[before]': before = null,
        lookFor,
      } = query;
      const sourceId = Object.hasOwn(formSources, form) ? formSources[form as FormName] : form;
      const { rows, more } = await inbox.list({ sourceId, state, limit, before }, lookFor, caller);
      const last = more ? rows.at(-1) : undefined;
      return {
        data: rows.map(submissionResource),
        meta: { before: last ? toCursor(last.created_at, last.id) : null },
      };
    },
  });

  // An invalid id is reported as unknown, whatever the body is.
  const submissionGates = {
    admin: (request: FastifyRequest) => ({ reading: authorize(request), id: readId(request) }),
  };
  mountOperations(app, { operations: submissionOperations, schemas: inboxSchemas }, submissionGates, {
    async showSubmission({ caller: { reading, id } }) {
      return { data: submissionResource((await inbox.show(id, reading)) ?? unknown(id)) };
    },

    async markSubmission({ caller: { reading, id }, body: { data } }) {
      if (data.id !== id)
        throw formsErrors.submission_id_mismatch('"id" differs from the id in the path.', {
          source: { pointer: '/data/id' },
        });
      const row = (await inbox.mark(id, data.attributes.state, reading)) ?? unknown(id);
      return { data: submissionResource(row) };
    },
  });
}

function readId({ params }: FastifyRequest): string {
  const { id: given } = params as { id: string };
  const id = v.safeParse(UuidSchema, given);
  return id.success ? id.output : unknown(given);
}

function unknown(id: string): never {
  throw formsErrors.submission_unknown(`No submission has the id "${id.slice(0, 100)}".`);
}

function submissionResource(row: SubmissionRow): SubmissionResource {
  const fields =
    row.source_id === formSources.newsletter
      ? {}
      : (JSON.parse(row.form_fields) as SubmissionResource['attributes']['fields']);
  // The honeypot: only programs fill it in.
  const { [HONEYPOT_FIELD]: honeypot = '', ...others } = fields;
  return {
    type: 'submissions',
    id: row.id,
    attributes: {
      form: formName(row.source_id),
      source_id: row.source_id,
      email: row.email,
      fields: honeypot === '' ? others : fields,
      visitor_unique_id: row.visitor_unique_id,
      state: submissionState(row),
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
    id: formName(sourceId),
    attributes: {
      source_id: sourceId,
      title: forms.findNewest(sourceId)?.definition.title ?? sourceId,
      ...counts,
      newest_at: newestAt?.toISOString() ?? null,
    },
  };
}

/** The site's forms have names; declared forms have identifiers. */
const formName = (sourceId: string): string => formOfSource(sourceId) ?? sourceId;
