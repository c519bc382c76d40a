/** The request header for safe retries: one random value for each change or each filled-in form. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
