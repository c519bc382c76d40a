import * as v from 'valibot';
import { mapSchema } from './map.schema.ts';
import { UuidSchema } from './text.schema.ts';

/** Where a submission stands. What is suspected to be spam, by a program or by a person, is kept apart from the others. */
export const SubmissionStateSchema = v.picklist(['new', 'handled', 'spam']);
export type SubmissionState = v.InferOutput<typeof SubmissionStateSchema>;

/** Which submissions are asked for: those of one state, or all but spam. */
export const SubmissionFilterSchema = v.picklist([...SubmissionStateSchema.options, 'all']);
export type SubmissionFilter = v.InferOutput<typeof SubmissionFilterSchema>;

/** What a list is made for. An export is audited as one. */
export const LookSchema = v.picklist(['list', 'export']);
export type Look = v.InferOutput<typeof LookSchema>;

/** The most submissions in one answer. */
export const MOST_SUBMISSIONS = 500;

/** What the cursor of a list holds: the milliseconds since 1970 and the id of the last one that was shown. */
export const InboxCursorSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const [, id] = /^\d{1,13}~(.*)$/s.exec(text) ?? [];
    return v.is(UuidSchema, id);
  }, 'It is what the answer before gave, such as "1767225600000~<id>".'),
);

/** The name of a form of the site, or the identifier of one that a remote declares, live or not. */
export const InboxFormSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

/** The header in which the registry says for whom it asks: the name of a token, as `encodeURIComponent` writes it. */
export const INBOX_READER_HEADER = 'inbox-reader';

const SubmissionResourceSchema = v.object({
  type: v.literal('submissions'),
  id: UuidSchema,
  attributes: v.object({
    /** As `InboxFormSchema`. */
    form: v.string(),
    source_id: v.string(),
    email: v.string(),
    /** By the names of the form; none of the newsletter. */
    fields: mapSchema(v.string(), v.unknown()),
    visitor_unique_id: v.string(),
    state: SubmissionStateSchema,
    /** Who said so, and when; null while nobody has. */
    marked_by: v.nullable(v.string()),
    marked_at: v.nullable(v.string()),
    verified_by: v.picklist(['captcha', 'rate_limit']),
    created_at: v.string(),
    /** When it is removed; null where that does not depend on the form. */
    remove_at: v.nullable(v.string()),
  }),
});
export type SubmissionResource = v.InferOutput<typeof SubmissionResourceSchema>;

/** The answer of `GET /admin/submissions` of the forms service: newest first. */
export const SubmissionListSchema = v.object({
  data: v.array(SubmissionResourceSchema),
  /** What to ask with for those before; null when there are none. */
  meta: v.object({ before: v.nullable(v.string()) }),
});

/** The answer of `GET` and `PATCH /admin/submissions/{id}`. */
export const SubmissionDocumentSchema = v.object({ data: SubmissionResourceSchema });

/** The body of `PATCH /admin/submissions/{id}`. */
export const SubmissionMarkSchema = v.strictObject({
  data: v.strictObject({
    type: v.literal('submissions'),
    id: UuidSchema,
    attributes: v.strictObject({ state: SubmissionStateSchema }),
  }),
});

/** The answer of `GET /admin/inboxes`: each form, and how many submissions of it there are. */
export const InboxListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('inboxes'),
      /** As `InboxFormSchema`. */
      id: v.string(),
      attributes: v.object({
        source_id: v.string(),
        /** What people call it; the identifier of one that is not live any more. */
        title: v.string(),
        new: v.number(),
        handled: v.number(),
        spam: v.number(),
        /** When the newest one that is not spam came; null while there is none. */
        newest_at: v.nullable(v.string()),
      }),
    }),
  ),
});
export type InboxResource = v.InferOutput<typeof InboxListSchema>['data'][number];

/** The answer of `GET /admin/newsletter`: who gets the newsletter, the first confirmed first. */
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
        /** What the owner agreed to. */
        wording: v.string(),
        /** For the letter, and for its header List-Unsubscribe. It never expires. */
        unsubscribe_url: v.string(),
      }),
    }),
  ),
  /** What to ask with for those after; null when there are none. */
  meta: v.object({ after: v.nullable(v.string()) }),
});
export type ReaderResource = v.InferOutput<typeof ReaderListSchema>['data'][number];

/** The most readers in one answer. */
export const MOST_READERS = 1_000;
