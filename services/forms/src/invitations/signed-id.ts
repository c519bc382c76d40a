import * as v from 'valibot';
import { UuidSchema } from '@site/contract';
import type { FastifyRequest } from 'fastify';
import type { MailLink, MailLinks } from './mail-links.ts';

/** The id in the link that was opened, when we signed it for this; null otherwise. */
export async function signedIdOf(
  { params, query }: FastifyRequest<{ Params: { id: string } }>,
  link: MailLink,
  links: MailLinks,
): Promise<string | null> {
  const { signature } = query as Record<string, unknown>;
  const id = v.safeParse(UuidSchema, params.id);
  if (!id.success || typeof signature !== 'string') return null;
  return (await links.isSigned(link, id.output, signature)) ? id.output : null;
}
