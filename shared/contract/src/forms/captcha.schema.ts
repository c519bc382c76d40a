import * as v from 'valibot';

const hex = (max: number) => v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/), v.maxLength(max));
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A proof-of-work challenge in the format of altcha (version 2), https://altcha.org/docs/v2/. */
export const CaptchaChallengeSchema = v.object({
  parameters: v.object({
    algorithm: v.literal('PBKDF2/SHA-256'),
    nonce: hex(64),
    salt: hex(64),
    cost: wholeNumber,
    keyLength: v.literal(32),
    keyPrefix: hex(64),
    keySignature: hex(64),
    /** `expires_at`: seconds since 1970. */
    data: v.object({ expires_at: wholeNumber }),
  }),
  signature: hex(64),
});
export type CaptchaChallenge = v.InferOutput<typeof CaptchaChallengeSchema>;

export const CaptchaSolutionSchema = v.object({
  challenge: CaptchaChallengeSchema,
  solution: v.object({ counter: wholeNumber, derivedKey: hex(64) }),
});

export const CaptchaDocumentSchema = v.object({
  data: v.object({
    type: v.literal('captcha-challenges'),
    id: v.string(),
    attributes: v.object({ challenge: CaptchaChallengeSchema }),
  }),
});
