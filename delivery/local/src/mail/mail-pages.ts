import type { OpsPage } from '@site/edge/server/ops-server';
import { edgePageHtml, edgePagePolicy } from '@site/edge/pages/edge-page';
import { html, type Html } from '@site/forms/kernel/html';
import { cspHash } from '@site/server/csp-hash';
import type { CaughtEmail, MailSink } from './mail-sink.ts';

/** `/mail`: the emails that the sink accepted; undefined for other paths. */
export function mailPage({ emails }: Pick<MailSink, 'emails'>, path: string): OpsPage | undefined {
  if (path === '/mail' || path === '/mail/') return listPage(emails());
  const [, id, part] = /^\/mail\/(\d+)(\/html)?$/.exec(path) ?? [];
  const email = emails().find((each) => each.id === Number(id));
  if (email === undefined) return undefined;
  return part === undefined ? emailPage(email) : emailContent(email);
}

const page = (title: string, body: Html): OpsPage => ({
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${edgePagePolicy}; frame-src 'self'`,
    'Referrer-Policy': 'no-referrer',
  },
  body: edgePageHtml({ status: 200, title, html: body.text }),
});

const emailSubject = ({ content }: CaughtEmail): string => content.subject ?? '(no subject)';

function listPage(emails: readonly CaughtEmail[]): OpsPage {
  const none = html`<p>
    No emails yet. Subscribe to the newsletter or refer someone, then reload this page.
  </p>`;
  return page(
    'Mail',
    html`<p>
        No mail server is set, so this site delivers no email. What it would send is here until it stops. The
        links work.
      </p>
      ${
        emails.length === 0
          ? none
          : html`<ol reversed>
              ${emails.map(listItem)}
            </ol>`
      }
      <p><a href="/mail">Reload</a></p>`,
  );
}

const listItem = (email: CaughtEmail): Html =>
  html`<li>
    <a href="/mail/${String(email.id)}">${emailSubject(email)}</a><br />to ${email.to.join(', ')},
    ${email.at.toLocaleTimeString('en', { hour12: false })}
  </li>`;

function emailPage(email: CaughtEmail): OpsPage {
  const { from, replyTo, text } = email.content;
  const rows: [string, string | undefined][] = [
    ['From', from && `${from.name} <${from.address ?? ''}>`],
    ['To', email.to.join(', ')],
    ['Reply to', replyTo?.map(({ address }) => address).join(', ')],
  ];
  return page(
    emailSubject(email),
    html`<p>${rows.flatMap(([name, value]) => (value ? [html`<b>${name}</b> ${value}<br />`] : []))}</p>
      <iframe
        title="The email"
        src="/mail/${String(email.id)}/html"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        width="100%"
        height="620"
        frameborder="0"
      ></iframe>
      <details>
        <summary>Plain text</summary>
        <p>
          ${(text ?? '')
            .trim()
            .split('\n')
            .map((line) => html`${line}<br />`)}
        </p>
      </details>
      <p><a href="/mail">All mail</a></p>`,
  );
}

/**
 * Links open in new tabs, outside of the sandbox: the pages behind them may not be framed. Emails have style
 * attributes, so the policy names what else they may not load, instead of a default.
 */
function emailContent({ content }: CaughtEmail): OpsPage {
  // HTML parsers normalize line breaks before the policy hashes a style.
  const markup = (content.html ?? '').replaceAll('\r\n', '\n');
  const styles = [...markup.matchAll(/<style>([^]*?)<\/style>/g)].map(
    ([, style = '']) => `'${cspHash(style)}'`,
  );
  const nothing = [
    'child',
    'connect',
    'font',
    'frame',
    'img',
    'manifest',
    'media',
    'object',
    'script',
    'worker',
  ];
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        ...nothing.map((what) => `${what}-src 'none'`),
        `style-src-elem ${styles.join(' ') || "'none'"}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        'sandbox allow-popups allow-popups-to-escape-sandbox',
      ].join('; '),
      'Referrer-Policy': 'no-referrer',
    },
    body: markup.replace('<head>', '<head><base target="_blank">'),
  };
}
