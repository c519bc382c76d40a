import * as v from 'valibot';
import { mapSchema } from './schema-tools.ts';
import { UuidSchema } from './text.schema.ts';

/** The state of a submission. Suspected spam, by a program or a person, is kept separate. */
export const SubmissionStateSchema = v.picklist(['new', 'handled', 'spam']);
export type SubmissionState = v.InferOutput<typeof SubmissionStateSchema>;

export const SubmissionFilterSchema = v.picklist([...SubmissionStateSchema.options, 'all']);
export type SubmissionFilter = v.InferOutput<typeof SubmissionFilterSchema>;

export const LookSchema = v.picklist(['list', 'export']);
export type Look = v.InferOutput<typeof LookSchema>;

export const MOST_SUBMISSIONS = 500;

export const InboxCursorSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const [, id] = /^\d{1,13}~(.*)$/s.exec(text) ?? [];
    return v.is(UuidSchema, id);
  }, 'Use the cursor of the previous response, such as "1767225600000~<id>".'),
);

export const InboxFormSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

/**
 * The header with the name of the token on whose behalf the registry reads, encoded by `encodeURIComponent`.
 */
export const INBOX_READER_HEADER = 'inbox-reader';

const SubmissionResourceSchema = v.object({
  type: v.literal('submissions'),
  id: UuidSchema,
  attributes: v.object({
    /** See `InboxFormSchema`. */
    form: v.string(),
    source_id: v.string(),
    email: v.string(),
    fields: mapSchema(v.string(), v.unknown()),
    visitor_unique_id: v.string(),
    state: SubmissionStateSchema,
    /** Author and time of the last manual state; null without one. */
    marked_by: v.nullable(v.string()),
    marked_at: v.nullable(v.string()),
    verified_by: v.picklist(['captcha', 'rate_limit']),
    created_at: v.string(),
    remove_at: v.nullable(v.string()),
  }),
});
export type SubmissionResource = v.InferOutput<typeof SubmissionResourceSchema>;

export const SubmissionListSchema = v.object({
  data: v.array(SubmissionResourceSchema),
  meta: v.object({ before: v.nullable(v.string()) }),
});

export const SubmissionDocumentSchema = v.object({ data: SubmissionResourceSchema });

export const SubmissionMarkSchema = v.strictObject({
  data: v.strictObject({
    type: v.literal('submissions'),
    id: UuidSchema,
    attributes: v.strictObject({ state: SubmissionStateSchema }),
  }),
});

export const InboxListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('inboxes'),
      /** See `InboxFormSchema`. */
      id: v.string(),
      attributes: v.object({
        source_id: v.string(),
        title: v.string(),
        new: v.number(),
        handled: v.number(),
        spam: v.number(),
        newest_at: v.nullable(v.string()),
      }),
    }),
  ),
});
export type InboxResource = v.InferOutput<typeof InboxListSchema>['data'][number];

export const ReaderListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('readers'),
      id: v.string(),
      attributes: v.object({
        email: v.string(),
        asked_at: v.string(),
        confirmed_at: v.string(),
        wording: v.string(),
        unsubscribe_url: v.string(),
      }),
    }),
  ),
  meta: v.object({ after: v.nullable(v.string()) }),
});
export type ReaderResource = v.InferOutput<typeof ReaderListSchema>['data'][number];

export const MOST_READERS = 1_000;
