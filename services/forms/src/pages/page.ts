import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, Html } from './html.ts';

const style = `
:root { color-scheme: light dark; --paper: #faf8f3; --ink: #16130f; --rule: #16130f; --link: #1f4e9c;
  --sheet: #fff; --edge: #857c6d; --muted: #5f574b; --wrong: #b3290b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0f1a2b; --ink: #eef2f8; --rule: #5a7399; --link: #9cc3ff;
    --sheet: #16243a; --edge: #7d94b8; --muted: #b3c0d6; --wrong: #ff9d85; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: clamp(2rem, 8vw, 6rem) 1.25rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.15; }
a { color: var(--link); text-underline-offset: .2em; }
li { margin-block: .4rem; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.25rem; color: var(--paper);
  background: var(--ink); border: 2px solid var(--rule); border-radius: .4rem; cursor: pointer; }
form { display: grid; gap: 1.35rem; margin-block: 1.5rem 2.5rem; justify-items: start; }
form > div, fieldset { display: grid; gap: .35rem; width: 100%; min-width: 0; margin: 0; padding: 0; border: 0; }
form > .away { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden; }
label, legend { font-weight: 600; padding: 0; }
fieldset label { display: flex; gap: .6rem; align-items: center; min-height: 2rem; font-weight: 400; }
small { font: inherit; font-weight: 400; color: var(--muted); }
input:not([type=radio], [type=checkbox]), textarea, select { box-sizing: border-box; width: 100%; min-height: 3rem;
  padding: .6rem .85rem; font: inherit; color: inherit; background: var(--sheet); border: 2px solid var(--edge); border-radius: .4rem; }
textarea { field-sizing: content; resize: vertical; }
[type=radio], [type=checkbox] { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border-color: var(--wrong); }
.hint, .error { margin: 0; font-size: .9375rem; }
.hint { color: var(--muted); }
.error { font-weight: 600; color: var(--wrong); }
.problems { padding: .25rem 1.25rem; border: 2px solid var(--wrong); border-radius: .4rem; }
.problems a { color: var(--wrong); }
input:focus-visible, textarea:focus-visible, select:focus-visible, fieldset:focus-visible, .problems:focus-visible,
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** In one piece: the hash in the policy is that of every character between the tags. */
const styleElement = new Html(`<style>${style}</style>`);

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
        ${styleElement}
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
    .headers({ 'referrer-policy': 'no-referrer', ...headers })
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.text);
}
