import { traceHeaders } from '@site/contract/tracing';
import {
  INBOX_READER_HEADER,
  InboxListSchema,
  ReaderListSchema,
  SubmissionDocumentSchema,
  SubmissionListSchema,
  type InboxResource,
  type Look,
  type ReaderResource,
  type SubmissionFilter,
  type SubmissionResource,
  type SubmissionState,
} from '@site/contract/inbox.schema';
import { RefusalSchema } from '@site/contract/refusal.schema';
import { tolerant } from '@site/contract/schema-tools';
import { withTrailingSlash } from '@site/contract/urls';
import { boundedText } from '@site/server/bounded-text';
import { JSON_API } from '@site/server/json-api';
import * as v from 'valibot';
import { registryErrors } from '../kernel/registry-errors.ts';

export interface InboxConfig {
  url: string;
  token: string;
}

export interface Wanted {
  form: string;
  state: SubmissionFilter;
  limit: number;
  before?: string | undefined;
  look: Look;
}

/** `reader` is the user's name for the access log. Every method throws ApiError `inbox_unavailable`. */
export interface InboxService {
  counts(reader: string, withinMs?: number): Promise<InboxResource[]>;
  list(reader: string, wanted: Wanted): Promise<{ submissions: SubmissionResource[]; before: string | null }>;
  readers(
    reader: string,
    wanted: { limit: number; after?: string | undefined },
  ): Promise<{ readers: ReaderResource[]; after: string | null }>;
  show(reader: string, id: string): Promise<SubmissionResource>;
  mark(reader: string, id: string, state: SubmissionState): Promise<SubmissionResource>;
}

const WITHIN_MS = 15_000;
/** Above the size of a full page of submissions of maximum size. */
const LARGEST_BYTES = 64 * 1024 * 1024;

export function createInboxService({ url, token }: InboxConfig): InboxService {
  const base = withTrailingSlash(url);

  async function ask<Schema extends v.GenericSchema>(
    reader: string,
    path: string,
    schema: Schema,
    { body, withinMs = WITHIN_MS }: { body?: object; withinMs?: number | undefined } = {},
  ): Promise<v.InferOutput<Schema>> {
    let status: number;
    let text: string | null;
    try {
      const response = await fetch(new URL(path, base), {
        method: body === undefined ? 'GET' : 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          accept: JSON_API,
          ...traceHeaders(),
          [INBOX_READER_HEADER]: encodeURIComponent(reader),
          ...(body === undefined ? {} : { 'content-type': JSON_API }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(withinMs),
      });
      status = response.status;
      text = await boundedText(response, LARGEST_BYTES);
    } catch (cause) {
      throw registryErrors.inbox_unavailable('The forms service does not answer.', { cause });
    }
    const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text);
    const answer = v.safeParse(tolerant(schema), json.output);
    if (status === 200 && answer.success) return answer.output;
    const refusal = v.safeParse(RefusalSchema, json.output);
    const [first] = refusal.success ? refusal.output.errors : [];
    const code = first?.code;
    if (code === 'submission_unknown')
      throw registryErrors.submission_unknown('No submission has that id; it may have been erased.');
    const detail =
      first === undefined ? ', which the registry cannot read.' : ` (${first.code}): ${first.detail}`;
    throw registryErrors.inbox_unavailable(
      code === 'admin_token_invalid'
        ? 'The forms service was started with another INBOX_TOKEN, or with none.'
        : `The forms service answers ${status}${detail}`,
    );
  }

  const one = (id: string) => `admin/submissions/${encodeURIComponent(id)}`;
  return {
    counts: async (reader, withinMs) =>
      (await ask(reader, 'admin/inboxes', InboxListSchema, { withinMs })).data,

    async list(reader, { form, state, limit, before, look }) {
      const query = new URLSearchParams({
        'filter[form]': form,
        'filter[state]': state,
        'page[size]': String(limit),
        ...(before === undefined ? {} : { 'page[before]': before }),
        lookFor: look,
      });
      const answer = await ask(reader, `admin/submissions?${query.toString()}`, SubmissionListSchema);
      return { submissions: answer.data, before: answer.meta.before };
    },

    async readers(reader, { limit, after }) {
      const query = new URLSearchParams({
        'page[size]': String(limit),
        ...(after === undefined ? {} : { 'page[after]': after }),
      });
      const answer = await ask(reader, `admin/newsletter?${query.toString()}`, ReaderListSchema);
      return { readers: answer.data, after: answer.meta.after };
    },

    show: async (reader, id) => (await ask(reader, one(id), SubmissionDocumentSchema)).data,

    mark: async (reader, id, state) => {
      const data = { type: 'submissions', id, attributes: { state } };
      return (await ask(reader, one(id), SubmissionDocumentSchema, { body: { data } })).data;
    },
  };
}
