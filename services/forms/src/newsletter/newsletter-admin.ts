import { MOST_READERS, type ReaderListSchema } from '@site/contract/inbox.schema';
import { mountOperations } from '@site/server/mount-calls';
import type { Operations } from '@site/server/service-description';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { forReaders, inboxSchemas } from '../inbox/inbox-operations.ts';
import { cursorOf, cursorSchema, pageSizeSchema } from '../inbox/inbox-query.ts';
import type { InboxRepository, Looking } from '../inbox/inbox.repository.ts';
import type { MailLinks } from '../invitations/mail-links.ts';
import type { ReadersRepository } from './readers.repository.ts';

const QuerySchema = v.object({
  'page[size]': pageSizeSchema(200, MOST_READERS),
  'page[after]': v.optional(cursorSchema),
});

export const newsletterAdminOperations = {
  listReaders: {
    method: 'get',
    path: '/admin/newsletter',
    summary: 'List the newsletter subscribers',
    description:
      `${forReaders} The confirmed addresses, each with time and text of the consent and its unsubscribe link. ` +
      'Fetch the list before each newsletter: it excludes unsubscribed addresses. Add the link to the newsletter, and the headers ' +
      'List-Unsubscribe and List-Unsubscribe-Post (RFC 8058).',
    access: 'admin',
    query: QuerySchema,
    answers: { 200: { description: 'The readers.', schema: 'ReaderList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;

export interface NewsletterAdminOptions {
  /** See `createInboxAccess`. */
  looking: (request: FastifyRequest) => Looking;
  inbox: Pick<InboxRepository, 'noteReaders'>;
  readers: ReadersRepository;
  links: MailLinks;
  /** With a trailing slash. */
  publicUrl: string;
}

/** `GET /admin/newsletter`: the subscribers, for the sender of the newsletter. */
export function addNewsletterAdmin(
  app: FastifyInstance,
  { looking, inbox, readers, links, publicUrl }: NewsletterAdminOptions,
): void {
  const gates = { admin: looking };
  mountOperations(app, { operations: newsletterAdminOperations, schemas: inboxSchemas }, gates, {
    async listReaders({ caller, query: { 'page[size]': limit, 'page[after]': cursor } }) {
      const after = cursor && { confirmed_at: cursor.at, id: cursor.id };
      const found = await readers.list({ limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      await inbox.noteReaders(shown.length, caller);
      const document: v.InferInput<typeof ReaderListSchema> = {
        data: await Promise.all(
          shown.map(async ({ id, email, asked_at, confirmed_at, wording }) => ({
            type: 'readers' as const,
            id,
            attributes: {
              email,
              asked_at: asked_at.toISOString(),
              confirmed_at: confirmed_at.toISOString(),
              wording,
              unsubscribe_url: new URL(await links.pathFor('newsletter/unsubscribe', id), publicUrl).href,
            },
          })),
        ),
        meta: { after: last ? cursorOf(last.confirmed_at, last.id) : null },
      };
      return document;
    },
  });
}
