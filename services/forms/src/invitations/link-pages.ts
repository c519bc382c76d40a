import * as v from 'valibot';
import { UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html, type Html } from '../pages/html.ts';
import type { Page, SendPage } from '../pages/page.ts';
import type { MailLink, MailLinks } from './mail-links.ts';

/** The page behind a link of our mails. */
export interface LinkPage {
  link: MailLink;
  /** What is thrown unless we signed the link for this. */
  unknown(): Error;
  /** What is shown when the link is opened, with an `actButton`. Changes nothing. */
  ask(id: string): LinkAnswer | Promise<LinkAnswer>;
  /** Does what the button says. */
  act(id: string): Promise<LinkAnswer>;
}

export type LinkAnswer = Pick<Page, 'title' | 'body'>;

export type AddLinkPage = (page: LinkPage) => void;

type LinkRequest = FastifyRequest<{ Params: { id: string } }>;

/** What a mail program posts has about 200. */
const MOST_BYTES = 16 * 1024;

/**
 * The pages behind the links of our mails. Opening one changes nothing, because programs that look through mail open every link; its
 * one button does, or the mail program's own (RFC 8058). `scope` takes bodies of any type after this.
 */
export function createLinkPages(
  scope: FastifyInstance,
  { links, sendPage }: { links: MailLinks; sendPage: SendPage },
): AddLinkPage {
  // Mail programs post a form of either kind (RFC 8058, 3.1). The link says everything, so nothing in it is looked at.
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

/** Without an action it posts to the very address of the page, signature and all. */
export const actButton = (label: string): Html => html`<form method="post"><button>${label}</button></form>`;
