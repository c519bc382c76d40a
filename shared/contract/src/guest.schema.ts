import * as v from 'valibot';
import { EmailSchema } from './forms/email.schema.ts';
import { optionalLineSchema, UuidSchema } from './text.schema.ts';

/** Body of `POST guests` (specification, section 3): both ids are the same new random UUID. */
export const GuestCreationSchema = v.pipe(
  v.strictObject({ unique_id: UuidSchema, user_unique_id: UuidSchema }),
  v.forward(
    v.check(
      (guest) => guest.unique_id === guest.user_unique_id,
      'A new guest has the same UUID as "unique_id" and "user_unique_id".',
    ),
    ['user_unique_id'],
  ),
);
export type GuestCreation = v.InferOutput<typeof GuestCreationSchema>;

/** Body of `POST guests/{id}/auth`: repeats the id of the path. The guest's token is in `Authorization`. */
export const GuestAuthSchema = v.strictObject({ guest_unique_id: UuidSchema });
export type GuestAuth = v.InferOutput<typeof GuestAuthSchema>;

/** Body of `PUT guests/{id}`: the ids must not change; omitted fields stay unchanged. */
export const GuestUpdateSchema = v.strictObject({
  unique_id: UuidSchema,
  user_unique_id: UuidSchema,
  email: v.optional(
    v.union([v.literal(''), EmailSchema], 'Enter an email address such as name@example.com.'),
  ),
  name: v.optional(optionalLineSchema()),
  username: v.optional(optionalLineSchema()),
});
export type GuestUpdate = v.InferOutput<typeof GuestUpdateSchema>;

export const GuestAttributesSchema = v.object({
  unique_id: UuidSchema,
  user_unique_id: UuidSchema,
  email: v.string(),
  name: v.string(),
  username: v.string(),
  status: v.string(),
  current_visiting_at: v.nullable(v.string()),
  current_visiting_ip: v.nullable(v.string()),
  last_visiting_at: v.nullable(v.string()),
  last_visiting_ip: v.nullable(v.string()),
  registered_at: v.nullable(v.string()),
});
export type GuestAttributes = v.InferOutput<typeof GuestAttributesSchema>;

export const GuestDocumentSchema = v.object({
  data: v.object({ type: v.literal('guests'), id: UuidSchema, attributes: GuestAttributesSchema }),
});
export type GuestDocument = v.InferOutput<typeof GuestDocumentSchema>;

export interface Guest {
  uniqueId: string;
  email: string;
  id: string;
  name: string;
  username: string;
  status: string;
  currentVisitingAt: string | null;
  currentVisitingIp: string | null;
  last_visiting_at: string | null;
  last_visiting_ip: string | null;
  userUniqueId: string;
  registeredAt: string | null;
}

export function toGuest({ data: { id, attributes } }: GuestDocument): Guest {
  return {
    uniqueId: attributes.unique_id,
    email: attributes.email,
    id,
    name: attributes.name,
    username: attributes.username,
    status: attributes.status,
    currentVisitingAt: attributes.current_visiting_at,
    currentVisitingIp: attributes.current_visiting_ip,
    last_visiting_at: attributes.last_visiting_at,
    last_visiting_ip: attributes.last_visiting_ip,
    userUniqueId: attributes.user_unique_id,
    registeredAt: attributes.registered_at,
  };
}

/** The decoded payload of an auth token, as far as clients need it. `exp` is in seconds. */
export const TokenPayloadSchema = v.object({ user_unique_id: UuidSchema, exp: v.number() });
export type TokenPayload = v.InferOutput<typeof TokenPayloadSchema>;

export const TOKEN_HEADER = 'company-token';
export const APP_ID_HEADER = 'appid';
export const TOKEN_ISSUER = 'gateway';
export const TOKEN_AUDIENCE = 'site';
