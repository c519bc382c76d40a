import { INBOX_READER_HEADER } from '@site/contract/inbox.schema';
import { carriesToken, createAdminAccess } from '@site/server/admin-access';
import { baseErrors } from '@site/server/base-errors';
import type { FastifyRequest } from 'fastify';
import type { Reading } from './inbox.repository.ts';

/** Everyone with the ADMIN_TOKEN has this name, because the service does not know them. */
const OPERATOR = 'ADMIN_TOKEN';
const MAX_NAME_LENGTH = 200;

/**
 * Authorizes the registry, which names its authenticated user in a header, and operators with the admin
 * token. Returns who reads, and when.
 * Throws ApiError `admin_token_invalid`, `request_malformed`.
 */
export function createInboxAccess(
  tokens: { adminToken: string | null; inboxToken: string | null },
  now: () => number,
): (request: FastifyRequest) => Reading {
  const isRegistry = carriesToken(tokens.inboxToken);
  const requireAdmin = createAdminAccess(tokens.adminToken);
  return (request) => {
    const isFromRegistry = isRegistry(request);
    if (!isFromRegistry) requireAdmin(request);
    return { by: isFromRegistry ? readerName(request) : OPERATOR, at: new Date(now()) };
  };
}

function readerName({ headers }: FastifyRequest): string {
  const given = headers[INBOX_READER_HEADER];
  const name = typeof given === 'string' ? decode(given) : '';
  if (name !== '' && name.length <= MAX_NAME_LENGTH) return name;
  throw baseErrors.request_malformed(
    `The header "${INBOX_READER_HEADER}" must name the reader: 1 to ${MAX_NAME_LENGTH} characters, encoded ` +
      'by encodeURIComponent.',
    { source: { header: INBOX_READER_HEADER } },
  );
}

function decode(text: string): string {
  try {
    // PostgreSQL cannot store U+0000 or lone surrogates; the latter cannot be encoded this way.
    return decodeURIComponent(text).replaceAll('\0', '');
  } catch {
    return '';
  }
}
