import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, Html } from './html.ts';

const style = `
:root { color-scheme: light dark; --paper: #faf8f3; --ink: #16130f; --rule: #16130f; --link: #1f4e9c; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0f1a2b; --ink: #eef2f8; --rule: #5a7399; --link: #9cc3ff; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: clamp(2rem, 8vw, 6rem) 1.25rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.15; }
a { color: var(--link); text-underline-offset: .2em; }
li { margin-block: .4rem; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.25rem; color: var(--paper);
  background: var(--ink); border: 2px solid var(--rule); border-radius: .4rem; cursor: pointer; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** A small page for people: no script, nothing from elsewhere. */
export interface Page {
  status: number;
  title: string;
  body: Html;
  headers?: Record<string, string>;
}

/** Answers with a page. It may hold forms that post to this service, and nothing else that acts. */
export function sendPage(reply: FastifyReply, { status, title, body, headers = {} }: Page): FastifyReply {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return reply
    .status(status)
    .headers(headers)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.text);
}
