import type { Brand } from '@site/contract';
import { lightDark, palette } from '@site/contract/palette';
import { cspHash } from '@site/server/csp-hash';
import { NO_DETECTION } from '@site/server/no-detection';
import { withRequestId } from '@site/server/request-id';
import type { FastifyReply } from 'fastify';
import { createImprint, type FindBrand } from './brand.ts';
import { html, Html } from './html.ts';

const colors = Object.entries(palette).map(([name, color]) => `--${name}: ${lightDark(color)};`);

/** The site's colors, and boxes as in `shared/ui/src/field.module.css`. */
const style = `
:root { color-scheme: light dark; ${colors.join(' ')} }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
header, main, footer { box-sizing: border-box; max-width: 40.5rem; margin: 0 auto; padding: 1.25rem;
  overflow-wrap: anywhere; }
header { padding-block-end: 0; font-weight: 600; }
header a { color: inherit; text-decoration: none; }
header a:hover { text-decoration: underline; }
main { padding-block: clamp(2rem, 7vw, 5rem); }
footer { font-size: .9375rem; color: var(--muted); }
footer p { margin: 0; padding-block: .2rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.15; }
a { color: var(--link); text-underline-offset: .2em; }
li { margin-block: .4rem; overflow-wrap: anywhere; }
blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: 4px solid var(--edge); white-space: pre-line;
  overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.25rem; color: var(--on-signal);
  background: var(--signal); border: solid var(--rule); border-width: 1px 1px 4px;
  border-radius: .25rem; cursor: pointer; }
form { display: grid; gap: 1.35rem; margin-block: 1.5rem 2.5rem; justify-items: start; }
form > div, fieldset { display: grid; gap: .35rem; width: 100%; min-width: 0; margin: 0; padding: 0; border: 0; }
form > .away { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden; }
label, legend { font-weight: 600; padding: 0; }
fieldset label { display: flex; gap: .6rem; align-items: center; min-height: 2rem; font-weight: 400; }
small { font: inherit; font-weight: 400; color: var(--muted); }
input:not([type=radio], [type=checkbox]), textarea, select { box-sizing: border-box; width: 100%; min-height: 3rem;
  padding: .6rem .85rem; font: inherit; color: inherit; background: var(--sheet); border: 2px solid var(--edge);
  border-radius: .4rem; }
textarea { field-sizing: content; resize: vertical; }
[type=radio], [type=checkbox] { flex: none; display: grid; place-items: center; width: 1.15rem; height: 1.15rem;
  margin: 0; appearance: none; background: var(--sheet); border: 2px solid var(--edge); border-radius: 3px; }
[type=radio] { border-radius: 50%; }
:is([type=radio], [type=checkbox]):checked { background: var(--signal); border-color: var(--signal); }
:is([type=radio], [type=checkbox]):checked::before {
  content: ''; width: .7rem; height: .7rem; background: var(--on-signal);
  clip-path: polygon(12% 42%, 0 57%, 42% 95%, 100% 20%, 86% 6%, 40% 66%); }
[type=radio]:checked::before { clip-path: circle(42%); }
@media print, (forced-colors: active) { :is([type=radio], [type=checkbox]) { appearance: auto; }
  :is([type=radio], [type=checkbox]):checked::before { content: none; } }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border-color: var(--signal-text); }
.hint, .error { margin: 0; font-size: .9375rem; }
.hint { color: var(--muted); }
.error { font-weight: 600; color: var(--signal-text); }
.problems { padding: .25rem 1.25rem; border: 2px solid var(--signal-text); border-radius: .4rem; }
.problems a { color: var(--signal-text); }
input:focus-visible, textarea:focus-visible, select:focus-visible, fieldset:focus-visible, .problems:focus-visible,
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
`;
const styleHash = cspHash(style);

/** Must stay in one piece: the policy contains the hash of the exact characters between the tags. */
const styleElement = new Html(`<style>${style}</style>`);

const noDetection = new Html(NO_DETECTION);

export interface Page {
  status: number;
  title: string;
  body: Html;
  headers?: Record<string, string>;
}

/** Its policy allows only forms that post to this service. */
export type SendPage = (reply: FastifyReply, page: Page) => Promise<FastifyReply>;

export function createSendPage({ findBrand, site }: { findBrand: FindBrand; site: string | null }): SendPage {
  return async (reply, { status, title, body, headers = {} }) => {
    // Error pages must also work without the database.
    const brand = await findBrand().catch((): Brand => ({ name: '' }));
    const document = htmlDocument(title, body, brand, site).text;
    return reply
      .status(status)
      .headers({ 'referrer-policy': 'no-referrer', ...headers })
      .header(
        'content-security-policy',
        `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      )
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(status < 400 ? document : withRequestId(document, reply.request.id));
  };
}

function htmlDocument(title: string, body: Html, brand: Brand, site: string | null): Html {
  const name = html`${brand.name}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${noDetection}
        <title>${brand.name === '' ? title : `${title} · ${brand.name}`}</title>
        ${styleElement}
      </head>
      <body>
        ${
          brand.name === ''
            ? html``
            : html`<header>${site === null ? name : html`<a href="${site}/home">${name}</a>`}</header>`
        }
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${footer(brand)}
      </body>
    </html> `;
}

function footer(brand: Brand): Html {
  const { company, links } = createImprint(brand);
  if (company === '' && links.length === 0) return html``;
  return html`<footer>
    ${company === '' ? html`` : html`<p>${company}</p> `}
    ${links.map(({ label, text, url }) => html`<p>${label}: <a href="${url}">${text}</a></p> `)}
  </footer>`;
}
