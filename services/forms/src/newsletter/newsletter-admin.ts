import { createAdminAccess } from '@site/server/admin-access';
import { baseErrors } from '@site/server/base-errors';
import { JSON_API } from '@site/server/json-api';
import type { Operation } from '@site/server/service-description';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { MailLinks } from '../invitations/mail-links.ts';
import type { ReadersRepository } from './readers.repository.ts';

/** The answer of `GET /admin/newsletter`: the first confirmed first. */
export const ReaderListSchema = v.object({
  data: v.array(
    v.object({
      type: v.literal('readers'),
      id: v.string(),
      attributes: v.object({
        email: v.string(),
        /** When the address was entered. */
        asked_at: v.string(),
        /** When its owner confirmed it. */
        confirmed_at: v.string(),
        /** What the owner agreed to. */
        wording: v.string(),
        /** For the letter, and for its header List-Unsubscribe. It never expires. */
        unsubscribe_url: v.string(),
      }),
    }),
  ),
  /** What to ask with for those after; null when there are none. */
  meta: v.object({ after: v.nullable(v.string()) }),
});

/** So many with one call. */
const PAGE = 1_000;

const QuerySchema = v.object({
  limit: v.pipe(
    v.optional(v.string(), '200'),
    v.regex(/^\d{1,4}$/),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(PAGE),
  ),
  /** `meta.after` of the answer before. */
  after: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}~[0-9a-f-]{36}$/),
      v.transform((text) => {
        const [at = '', id = ''] = text.split('~');
        return { confirmed_at: new Date(Number(at)), id };
      }),
    ),
  ),
});

export interface NewsletterAdminOptions {
  adminToken: string | null;
  readers: ReadersRepository;
  links: MailLinks;
  /** With a slash at the end. */
  publicUrl: string;
}

/** `GET /admin/newsletter`: who gets the newsletter, for whoever sends it. */
export function addNewsletterAdmin(
  app: FastifyInstance,
  { adminToken, readers, links, publicUrl }: NewsletterAdminOptions,
): void {
  const requireAdmin = createAdminAccess(adminToken);

  app.get('/admin/newsletter', async (request, reply) => {
    requireAdmin(request);
    const query = v.safeParse(QuerySchema, request.query);
    if (!query.success) {
      const [issue] = query.issues;
      const parameter = v.getDotPath(issue) ?? 'limit';
      throw baseErrors.request_malformed(
        `"${parameter}" cannot be read. Give perhaps "limit" (1 to ${PAGE}) and "after" (of the answer before).`,
        { source: { parameter } },
      );
    }
    const { limit, after } = query.output;
    const found = await readers.list({ limit: limit + 1, after });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    request.log.info({ count: shown.length }, 'listed readers of the newsletter');
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
      meta: { after: last ? `${last.confirmed_at.getTime()}~${last.id}` : null },
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
      'For operators: the confirmed addresses, each with the moment and the words of the consent, and its unsubscribe link. ' +
      'Ask again before each letter: who has unsubscribed is not among them. Put the link into the letter, and with ' +
      'List-Unsubscribe and List-Unsubscribe-Post into its headers (RFC 8058).',
    access: 'admin',
    parameters: [
      { name: 'limit', in: 'query', required: false, schema: v.string() },
      { name: 'after', in: 'query', required: false, schema: v.string() },
    ],
    answers: { 200: { description: 'The readers.', schema: 'ReaderList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
];
