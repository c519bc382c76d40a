import * as v from 'valibot';
import { UuidSchema } from '@site/contract';
import type { FastifyRequest } from 'fastify';
import type { MailLink, MailLinks } from './mail-links.ts';

/** A request for what a link in a mail leads to. */
export type LinkRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * The id in the link that was opened.
 *
 * @param problem what is thrown unless we signed it for this.
 */
export async function requireSignedId(
  { params, query }: LinkRequest,
  link: MailLink,
  links: MailLinks,
  problem: () => Error,
): Promise<string> {
  const { signature } = query as Record<string, unknown>;
  const id = v.safeParse(UuidSchema, params.id);
  if (id.success && typeof signature === 'string' && (await links.isSigned(link, id.output, signature)))
    return id.output;
  throw problem();
}
