import { MOST_READERS, type ReaderListSchema } from '@site/contract/inbox.schema';
import { JSON_API } from '@site/server/json-api';
import type { Operation } from '@site/server/service-description';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { forReaders } from '../inbox/inbox-operations.ts';
import { cursorOf, cursorSchema, ofQuery, pageSizeSchema, readQuery } from '../inbox/inbox-query.ts';
import type { InboxRepository } from '../inbox/inbox.repository.ts';
import type { MailLinks } from '../invitations/mail-links.ts';
import type { ReadersRepository } from './readers.repository.ts';

const QuerySchema = v.object({
  'page[size]': pageSizeSchema(200, MOST_READERS),
  'page[after]': v.optional(cursorSchema),
});

export interface NewsletterAdminOptions {
  /** See `createInboxAccess`. */
  requireReader: (request: FastifyRequest) => string;
  inbox: Pick<InboxRepository, 'noteReaders'>;
  readers: ReadersRepository;
  now: () => number;
  links: MailLinks;
  /** With a slash at the end. */
  publicUrl: string;
}

/** `GET /admin/newsletter`: who gets the newsletter, for its sender. */
export function addNewsletterAdmin(
  app: FastifyInstance,
  { requireReader, inbox, readers, links, publicUrl, now }: NewsletterAdminOptions,
): void {
  app.get('/admin/newsletter', ofQuery(QuerySchema), async (request, reply) => {
    const looking = { by: requireReader(request), at: new Date(now()) };
    const { 'page[size]': limit, 'page[after]': cursor } = readQuery(QuerySchema, request);
    const after = cursor && { confirmed_at: cursor.at, id: cursor.id };
    const found = await readers.list({ limit: limit + 1, after });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    await inbox.noteReaders(shown.length, looking);
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
    return reply.type(JSON_API).header('cache-control', 'no-store').send(document);
  });
}

/** How the call is described. */
export const newsletterAdminOperations: Operation[] = [
  {
    method: 'get',
    path: '/admin/newsletter',
    summary: 'List who gets the newsletter',
    description:
      `${forReaders} The confirmed addresses, each with the moment and the words of the consent, and its unsubscribe link. ` +
      'Ask again before each letter: who has unsubscribed is not among them. Put the link into the letter, and with ' +
      'List-Unsubscribe and List-Unsubscribe-Post into its headers (RFC 8058).',
    access: 'admin',
    parameters: [
      { name: 'page[size]', in: 'query', required: false, schema: v.string() },
      { name: 'page[after]', in: 'query', required: false, schema: v.string() },
    ],
    answers: { 200: { description: 'The readers.', schema: 'ReaderList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
];
