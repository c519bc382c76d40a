import { createHmac, timingSafeEqual } from 'node:crypto';
import { UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { html, type Html } from '../kernel/html.ts';
import type { Page, SendPage } from '../kernel/page.ts';

export type EmailLink = 'unsubscribe' | 'confirm' | 'newsletter/confirm' | 'newsletter/unsubscribe';

/** Signs and verifies email links. They contain only the id of an email or a subscriber, no address. */
export interface EmailLinks {
  createPath(link: EmailLink, id: string): Promise<string>;
  isSigned(link: EmailLink, id: string, signature: string): Promise<boolean>;
}

export function createEmailLinks(secret: () => Promise<string>): EmailLinks {
  const sign = async (link: EmailLink, id: string) =>
    createHmac('sha256', await secret())
      .update(`${link} ${id}`)
      .digest('base64url');
  return {
    createPath: async (link, id) => `${link}/${id}?signature=${await sign(link, id)}`,
    async isSigned(link, id, signature) {
      const wanted = Buffer.from(await sign(link, id));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}

export interface LinkPage {
  link: EmailLink;
  unknown(): Error;
  show(id: string): LinkResponse | Promise<LinkResponse>;
  act(id: string): Promise<LinkResponse>;
}

export type LinkResponse = Pick<Page, 'title' | 'body'>;

export type AddLinkPage = (page: LinkPage) => void;

type LinkRequest = FastifyRequest<{ Params: { id: string } }>;

/** Mail programs post about 200 bytes. */
const BODY_LIMIT = 16 * 1024;

/**
 * Pages behind email links. GET changes nothing, because email scanners open every link; the page's button or the mail
 * program (RFC 8058) posts the action. Afterwards `scope` accepts bodies of any type.
 */
export function createLinkPages(
  scope: FastifyInstance,
  { links, sendPage }: { links: EmailLinks; sendPage: SendPage },
): AddLinkPage {
  // Mail programs post either kind of form (RFC 8058, 3.1). The link is sufficient, so the body is ignored.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, _body, done) =>
    done(null),
  );

  return ({ link, unknown, show, act }) => {
    const path = `/${link}/:id`;
    async function verifiedId({ params, query }: LinkRequest): Promise<string> {
      const { signature } = query as Record<string, unknown>;
      const id = v.safeParse(UuidSchema, params.id);
      if (id.success && typeof signature === 'string' && (await links.isSigned(link, id.output, signature)))
        return id.output;
      throw unknown();
    }
    scope.get(path, async (request: LinkRequest, reply) =>
      sendPage(reply, { status: 200, ...(await show(await verifiedId(request))) }),
    );
    scope.post(path, async (request: LinkRequest, reply) =>
      sendPage(reply, { status: 200, ...(await act(await verifiedId(request))) }),
    );
  };
}

/** Without an action it posts to the page's own URL, including the signature. */
export const actionButton = (label: string): Html =>
  html`<form method="post"><button>${label}</button></form>`;
