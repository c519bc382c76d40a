import * as v from 'valibot';
import { EmailSchema } from './email.schema.ts';
import { HONEYPOT_FIELD } from './form-sources.ts';
import { HoneypotSchema } from './form-schemas.ts';
import { referralConfirmations } from './form-messages.ts';
import { UuidSchema } from '../text.schema.ts';

export { IDEMPOTENCY_HEADER } from '../http.ts';

const MAX_FORM_FIELDS = 20_000;

/**
 * Body of `POST subscriptions` (specification, section 3). `form_fields` is text: the email for the
 * newsletter, JSON for the other forms. `visitor_unique_id` is empty without an identity.
 */
export const SubscriptionSchema = v.strictObject({
  email: EmailSchema,
  source_id: v.pipe(v.string(), v.maxLength(100)),
  form_fields: v.pipe(v.string(), v.maxLength(MAX_FORM_FIELDS, `Use at most ${MAX_FORM_FIELDS} characters.`)),
  visitor_unique_id: v.union([v.literal(''), UuidSchema], 'A visitor id is a UUID, or empty.'),
  visitor_type: v.literal('guest', 'The only visitor type is "guest".'),
  /**
   * The newsletter's honeypot, because its `form_fields` is only the email. Other forms have it among their
   * fields.
   */
  [HONEYPOT_FIELD]: v.optional(HoneypotSchema),
});
export type Subscription = v.InferOutput<typeof SubscriptionSchema>;

export const SubscriptionDocumentSchema = v.object({
  data: v.object({
    type: v.literal('subscriptions'),
    id: UuidSchema,
    attributes: v.object({
      email: v.string(),
      source_id: v.string(),
      created_at: v.string(),
      confirmation: v.nullable(v.picklist(referralConfirmations)),
    }),
  }),
});
export type SubscriptionDocument = v.InferOutput<typeof SubscriptionDocumentSchema>;
