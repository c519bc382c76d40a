import * as v from 'valibot';
import { UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html, type Html } from '../pages/html.ts';
import type { Page, SendPage } from '../pages/page.ts';
import type { MailLink, MailLinks } from './mail-links.ts';

/** The page behind an email link. */
export interface LinkPage {
  link: MailLink;
  /** The error for links without a valid signature for this page. */
  unknown(): Error;
  /** The page for GET, with an `actButton`. Changes nothing. */
  ask(id: string): LinkAnswer | Promise<LinkAnswer>;
  /** The button's action. */
  act(id: string): Promise<LinkAnswer>;
}

export type LinkAnswer = Pick<Page, 'title' | 'body'>;

export type AddLinkPage = (page: LinkPage) => void;

type LinkRequest = FastifyRequest<{ Params: { id: string } }>;

/** Mail programs post about 200 bytes. */
const MOST_BYTES = 16 * 1024;

/**
 * Pages behind email links. GET changes nothing, because email scanners open every link; the page's button or
 * the mail program (RFC 8058) posts the action. Afterwards `scope` accepts bodies of any type.
 */
export function createLinkPages(
  scope: FastifyInstance,
  { links, sendPage }: { links: MailLinks; sendPage: SendPage },
): AddLinkPage {
  // Mail programs post either kind of form (RFC 8058, 3.1). The link is sufficient, so the body is ignored.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, _body, done) =>
    done(null),
  );

  return ({ link, unknown, ask, act }) => {
    const path = `/${link}/:id`;
    async function idOf({ params, query }: LinkRequest): Promise<string> {
      const { signature } = query as Record<string, unknown>;
      const id = v.safeParse(UuidSchema, params.id);
      if (id.success && typeof signature === 'string' && (await links.isSigned(link, id.output, signature)))
        return id.output;
      throw unknown();
    }
    scope.get(path, async (request: LinkRequest, reply) =>
      sendPage(reply, { status: 200, ...(await ask(await idOf(request))) }),
    );
    scope.post(path, async (request: LinkRequest, reply) =>
      sendPage(reply, { status: 200, ...(await act(await idOf(request))) }),
    );
  };
}

/** Without an action it posts to the page's own URL, including the signature. */
export const actButton = (label: string): Html => html`<form method="post"><button>${label}</button></form>`;
