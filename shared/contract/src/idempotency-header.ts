/** The request header that makes a repetition harmless: one random value for each change, or each filled-in form. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
