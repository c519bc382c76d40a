import { answerStatus } from '@site/contract/http';
import { ApiError, defineErrors, type FieldProblem } from './api-error.ts';

/** Errors of every server. */
export const baseErrors = defineErrors({
  request_malformed: {
    status: 400,
    title: 'Malformed request',
    remedy: 'Send a well-formed HTTP request to a valid URL.',
  },
  body_not_json: {
    status: 400,
    title: 'The body is not JSON',
    remedy: 'Send one JSON object with "content-type: application/json".',
  },
  route_not_found: {
    status: 404,
    title: 'No such route',
    remedy: 'Check the method and the path.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long',
    remedy: 'Send the whole request without pausing.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send less at once.',
  },
  media_type_unsupported: {
    status: 415,
    title: 'Unsupported media type',
    remedy: 'Send JSON with "content-type: application/json" or "application/vnd.api+json".',
  },
  body_invalid: {
    status: 422,
    title: 'A field breaks a rule',
    remedy: 'Correct the field that "source.pointer" names.',
  },
  rate_limited: {
    status: answerStatus.limitReached,
    title: 'Too many requests',
    remedy: 'Wait as long as the "retry-after" header says, then try again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    remedy: 'Send fewer or smaller headers. Browsers remove the cookies after this response: try again.',
  },
  internal: {
    status: answerStatus.failed,
    title: 'Internal error',
    remedy: 'Try again later; when you report it, include the "x-request-id" of the response.',
  },
  disk_full: {
    status: answerStatus.notReady,
    title: 'The disk is full',
    remedy: 'Free some space there. If the process has an embedded database, start it again.',
  },
  database_read_only: {
    status: answerStatus.notReady,
    title: 'The database is read-only',
    remedy: 'Nothing was stored; try again when the database accepts writes.',
  },
  unavailable: {
    status: answerStatus.notReady,
    title: 'Service unavailable',
    remedy: 'Try again in a moment.',
  },
});

/** Each field becomes its own error with its own `source.pointer`. */
export function bodyInvalid(fields: FieldProblem[]): ApiError {
  const { status, title } = baseErrors.table.body_invalid;
  const detail = fields.map((field) => `${field.pointer || 'the body'}: ${field.detail}`).join(' ');
  return new ApiError({ code: 'body_invalid', status, title, detail, fields });
}
