import * as v from 'valibot';
import { EmailSchema } from './forms/email.schema.ts';
import { optionalLineSchema, UuidSchema } from './text.schema.ts';

/** The only role (specification, sections 3 and 6), with its fixed name and id. */
export const GUEST_ROLE = { name: 'guest', unique_id: '7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72' } as const;

const profile = {
  email: v.optional(
    v.union([v.literal(''), EmailSchema], 'Enter an email address such as name@example.com.'),
  ),
  name: v.optional(optionalLineSchema()),
  username: v.optional(optionalLineSchema()),
};

/**
 * Body of `POST identities/{id}/register`: the guest's id, the fixed role, and the known data of the visitor.
 */
export const IdentityRegistrationSchema = v.strictObject({
  unique_id: UuidSchema,
  role_name: v.literal(GUEST_ROLE.name, `The only role is "${GUEST_ROLE.name}".`),
  role_unique_id: v.literal(GUEST_ROLE.unique_id, `The role's unique id is "${GUEST_ROLE.unique_id}".`),
  ...profile,
});
export type IdentityRegistration = v.InferOutput<typeof IdentityRegistrationSchema>;

export const IdentityUpdateSchema = v.strictObject({ unique_id: UuidSchema, ...profile });
export type IdentityUpdate = v.InferOutput<typeof IdentityUpdateSchema>;

export const IdentityAttributesSchema = v.object({
  unique_id: UuidSchema,
  email: v.string(),
  name: v.string(),
  username: v.string(),
  registered_at: v.string(),
});
export type IdentityAttributes = v.InferOutput<typeof IdentityAttributesSchema>;

export const IdentityDocumentSchema = v.object({
  data: v.object({ type: v.literal('identities'), id: UuidSchema, attributes: IdentityAttributesSchema }),
});
export type IdentityDocument = v.InferOutput<typeof IdentityDocumentSchema>;
