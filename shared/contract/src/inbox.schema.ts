import * as v from 'valibot';
import { mapSchema } from './schema-tools.ts';
import { UuidSchema } from './text.schema.ts';

/** The state of a submission. Suspected spam, by a program or a person, is kept separate. */
export const SubmissionStateSchema = v.picklist(['new', 'handled', 'spam']);
export type SubmissionState = v.InferOutput<typeof SubmissionStateSchema>;

/** A filter: one state, or all but spam. */
export const SubmissionFilterSchema = v.picklist([...SubmissionStateSchema.options, 'all']);
export type SubmissionFilter = v.InferOutput<typeof SubmissionFilterSchema>;

/** The purpose of a list; the audit log records it. */
export const LookSchema = v.picklist(['list', 'export']);
export type Look = v.InferOutput<typeof LookSchema>;

export const MOST_SUBMISSIONS = 500;

/** The cursor of a list: milliseconds since 1970 and the id of the last entry. */
export const InboxCursorSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const [, id] = /^\d{1,13}~(.*)$/s.exec(text) ?? [];
    return v.is(UuidSchema, id);
  }, 'Use the cursor of the previous response, such as "1767225600000~<id>".'),
);

/** The name of a form of the site, or the identifier of a declared form, live or not. */
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
    /** By field name; empty for the newsletter. */
    fields: mapSchema(v.string(), v.unknown()),
    visitor_unique_id: v.string(),
    state: SubmissionStateSchema,
    /** Author and time of the last manual state; null without one. */
    marked_by: v.nullable(v.string()),
    marked_at: v.nullable(v.string()),
    verified_by: v.picklist(['captcha', 'rate_limit']),
    created_at: v.string(),
    /** The removal date; null if it does not depend on the form. */
    remove_at: v.nullable(v.string()),
  }),
});
export type SubmissionResource = v.InferOutput<typeof SubmissionResourceSchema>;

/** The response of `GET /admin/submissions` of the forms service: newest first. */
export const SubmissionListSchema = v.object({
  data: v.array(SubmissionResourceSchema),
  /** The cursor of the next page; null at the end. */
  meta: v.object({ before: v.nullable(v.string()) }),
});

/** The response of `GET` and `PATCH /admin/submissions/{id}`. */
export const SubmissionDocumentSchema = v.object({ data: SubmissionResourceSchema });

/** The body of `PATCH /admin/submissions/{id}`. */
export const SubmissionMarkSchema = v.strictObject({
  data: v.strictObject({
    type: v.literal('submissions'),
    id: UuidSchema,
    attributes: v.strictObject({ state: SubmissionStateSchema }),
  }),
});

/** The response of `GET /admin/inboxes`: each form with its number of submissions. */
export const InboxListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('inboxes'),
      /** See `InboxFormSchema`. */
      id: v.string(),
      attributes: v.object({
        source_id: v.string(),
        /** The display name; the identifier for a form that is no longer live. */
        title: v.string(),
        new: v.number(),
        handled: v.number(),
        spam: v.number(),
        /** The time of the latest submission except spam; null without one. */
        newest_at: v.nullable(v.string()),
      }),
    }),
  ),
});
export type InboxResource = v.InferOutput<typeof InboxListSchema>['data'][number];

/** The response of `GET /admin/newsletter`: the subscribers in order of confirmation. */
export const ReaderListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('readers'),
      id: v.string(),
      attributes: v.object({
        email: v.string(),
        /** When the address was entered. */
        asked_at: v.string(),
        /** When its owner confirmed it. */
        confirmed_at: v.string(),
        /** The text of the consent. */
        wording: v.string(),
        /** For the newsletter and its header List-Unsubscribe. It never expires. */
        unsubscribe_url: v.string(),
      }),
    }),
  ),
  /** The cursor of the next page; null at the end. */
  meta: v.object({ after: v.nullable(v.string()) }),
});
export type ReaderResource = v.InferOutput<typeof ReaderListSchema>['data'][number];

export const MOST_READERS = 1_000;
