import { MOST_READERS, type ReaderListSchema } from '@site/contract/inbox.schema';
import { mountOperations } from '@site/server/mount-calls';
import type { Operations } from '@site/server/service-description';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { SubscribersRepository } from '../newsletter/subscribers.repository.ts';
import type { EmailLinks } from '../outbox/email-links.ts';
import { cursorSchema, forInboxReaders, inboxSchemas, pageSizeSchema, toCursor } from './inbox-operations.ts';
import type { InboxRepository, Reading } from './inbox.repository.ts';

const QuerySchema = v.object({
  'page[size]': pageSizeSchema(200, MOST_READERS),
  'page[after]': v.optional(cursorSchema),
});

export const subscriberListOperations = {
  listReaders: {
    method: 'get',
    path: '/admin/newsletter',
    summary: 'List the newsletter subscribers',
    description:
      `${forInboxReaders} The confirmed addresses, each with time and text of the consent and its unsubscribe link. ` +
      'Fetch the list before each newsletter: it excludes unsubscribed addresses. ' +
      'Add the link to the newsletter, and the headers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058).',
    access: 'admin',
    query: QuerySchema,
    answers: { 200: { description: 'The readers.', schema: 'ReaderList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;

export interface SubscriberListOptions {
  authorize: (request: FastifyRequest) => Reading;
  inbox: Pick<InboxRepository, 'logSubscribers'>;
  subscribers: SubscribersRepository;
  links: EmailLinks;
  publicUrl: string;
}

export function addSubscriberList(
  app: FastifyInstance,
  { authorize, inbox, subscribers, links, publicUrl }: SubscriberListOptions,
): void {
  const gates = { admin: authorize };
  mountOperations(app, { operations: subscriberListOperations, schemas: inboxSchemas }, gates, {
    async listReaders({ caller, query: { 'page[size]': limit, 'page[after]': cursor } }) {
      const after = cursor && { confirmed_at: cursor.at, id: cursor.id };
      const found = await subscribers.list({ limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      await inbox.logSubscribers(shown.length, caller);
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
              unsubscribe_url: new URL(await links.createPath('newsletter/unsubscribe', id), publicUrl).href,
            },
          })),
        ),
        meta: { after: last ? toCursor(last.confirmed_at, last.id) : null },
      };
      return document;
    },
  });
}
