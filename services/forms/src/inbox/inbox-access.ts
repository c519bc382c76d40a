import { INBOX_READER_HEADER } from '@site/contract/inbox.schema';
import { carriesToken, createAdminAccess } from '@site/server/admin-access';
import { baseErrors } from '@site/server/base-errors';
import type { FastifyRequest } from 'fastify';
import type { Looking } from './inbox.repository.ts';

/** The name of everyone who uses the ADMIN_TOKEN: the service does not know who they are. */
const OPERATOR = 'ADMIN_TOKEN';
const LONGEST_NAME = 200;

/**
 * Lets the registry pass, which has checked whom it asks for and says so, and operators with the admin token. Gives who looks, and when.
 *
 * Throws ApiError `admin_token_invalid`, `request_malformed`.
 */
export function createInboxAccess(
  tokens: { adminToken: string | null; inboxToken: string | null },
  now: () => number,
): (request: FastifyRequest) => Looking {
  const isRegistry = carriesToken(tokens.inboxToken);
  const requireAdmin = createAdminAccess(tokens.adminToken);
  return (request) => {
    const isAsking = isRegistry(request);
    if (!isAsking) requireAdmin(request);
    return { by: isAsking ? readerOf(request) : OPERATOR, at: new Date(now()) };
  };
}

function readerOf({ headers }: FastifyRequest): string {
  const given = headers[INBOX_READER_HEADER];
  const name = typeof given === 'string' ? decoded(given) : '';
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw baseErrors.request_malformed(
    `The header "${INBOX_READER_HEADER}" says who asks: 1 to ${LONGEST_NAME} characters, as encodeURIComponent writes them.`,
    { source: { header: INBOX_READER_HEADER } },
  );
}

function decoded(text: string): string {
  try {
    // PostgreSQL stores neither the first control character nor half of a surrogate pair, and the latter cannot be written so.
    return decodeURIComponent(text).replaceAll('\0', '');
  } catch {
    return '';
  }
}
