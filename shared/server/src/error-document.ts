import { ApiError } from './api-error.ts';
import { baseErrors } from './base-errors.ts';
import type { ErrorDocument } from './json-api.ts';
import { NoWritableServerError } from './postgres-servers.ts';
import { isReadOnlyError } from './read-only.ts';

export function errorDocument(error: ApiError, requestId?: string): ErrorDocument {
  const common = { status: String(error.status), code: error.code, title: error.title };
  const errors =
    error.fields.length > 0
      ? error.fields.map(({ pointer, detail }) => ({ ...common, detail, source: { pointer } }))
      : [{ ...common, detail: error.detail, ...(error.source ? { source: error.source } : {}) }];
  return requestId === undefined ? { errors } : { errors, meta: { requestId } };
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return baseErrors.body_too_large('The body has more bytes than this route accepts.', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return baseErrors.media_type_unsupported('The "content-type" is missing or is not JSON.', {
        cause: error,
      });
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return baseErrors.body_not_json('The body cannot be read as JSON.', { cause: error });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return baseErrors.request_malformed('A part of the path is too long.', { cause: error });
    case 'FST_ERR_HANDLER_TIMEOUT':
      return baseErrors.unavailable('The response took too long.', { cause: error });
  }
  if (isDiskFull(error))
    return baseErrors.disk_full('The disk of the database is full; nothing was stored.', {
      cause: error,
    });
  if (isReadOnlyError(error))
    return baseErrors.database_read_only('The database is read-only; nothing was stored.', {
      cause: error,
      headers: { 'retry-after': '5' },
    });
  // A deadlock or serialization failure: nothing was stored, and a retry may succeed.
  if (code === '40P01' || code === '40001')
    return baseErrors.unavailable('There was a conflict with another request.', { cause: error });
  // The statement timeout: the database is reachable.
  if (code === '57014')
    return baseErrors.unavailable('The database took too long, or another change held its locks.', {
      cause: error,
    });
  // After a lost connection the change may be committed, so clients retry with the same key. Without `Retry-After`:
  // older clients read it as "nothing was stored".
  if (error instanceof NoWritableServerError)
    return baseErrors.unavailable('No server in DATABASE_URL accepts writes.', { cause: error });
  if (isDatabaseAway(code, error))
    return baseErrors.unavailable('The database does not respond.', { cause: error });
  if (error instanceof SyntaxError && statusCode === 400) {
    return baseErrors.body_not_json('The body cannot be read as JSON.', { cause: error });
  }
  if (statusCode === 429) return baseErrors.rate_limited('There were too many requests.', { cause: error });
  if (statusCode === 503) return baseErrors.unavailable('The server is closing.', { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return baseErrors.request_malformed('The request is not valid.', { cause: error });
  }
  return baseErrors.internal('The server failed.', { cause: error });
}

export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return (
    code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
  );
}

/**
 * Lost connections, shutdowns and timeouts of the database:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isDatabaseAway(code: unknown, error: unknown): boolean {
  if (typeof code === 'string') {
    return /^(08|53|57P|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(
      code,
    );
  }
  return (
    error instanceof Error &&
    // The last one is reported by a transaction whose rollback failed after a lost connection.
    /^Connection terminated|timeout exceeded when trying to connect|^Client .* is not queryable/.test(
      error.message,
    )
  );
}
