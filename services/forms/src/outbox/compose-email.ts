import type { Brand } from '@site/contract';
import { palette } from '@site/contract/palette';
import { unlinkedText } from '@site/contract/typed-text';
import type { SendMailOptions } from 'nodemailer';
import { createImprint, emailSender } from '../kernel/brand.ts';
import { html, type Html } from '../kernel/html.ts';
import type { EmailContext, EmailRow } from './outbox.repository.ts';

const { paper, sheet, ink, muted, edge, link, signal, 'on-signal': onSignal } = palette;

export type EmailPart =
  | { kind: 'text'; text: string }
  | { kind: 'action'; text: string; label: string; url: string }
  /** Foreign words; every line is marked. */
  | { kind: 'quote'; by: string; text: string }
  | { kind: 'note'; text: string; label?: string; url?: string };

export function commonOptions(
  { id, recipient }: EmailRow,
  { brand, from, unsubscribeUrl }: EmailContext,
): SendMailOptions {
  const domain = /@([A-Za-z\d.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    from: emailSender(brand, from),
    to: { name: '', address: recipient },
    // Stable across retries, so that mail programs detect duplicates.
    messageId: `<${id}@${domain}>`,
    headers: {
      // RFC 8058: one-click unsubscribe.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

export function composeEmail(
  brand: Brand,
  title: string,
  parts: readonly EmailPart[],
): { text: string; html: string } {
  const { company, links } = createImprint(brand);
  const below = [
    brand.name,
    ...(company === '' ? [] : [company]),
    ...links.map(({ label, text }) => `${label}: ${text}`),
  ];
  return {
    text: [...parts.map(plainText), below.join('\n')].join('\n\n'),
    html: htmlDocument(brand, title, parts),
  };
}

function plainText(part: EmailPart): string {
  if (part.kind === 'quote')
    return (
      `The lines after ">" were written by ${part.by}, not by us:\n\n` +
      normalizeLines(part.text).replace(/^/gm, '> ')
    );
  const url = 'url' in part ? part.url : undefined;
  return url === undefined ? part.text : `${part.text}: ${url}`;
}

/** Normalizes every kind of line break that mail programs know, and removes bidirectional controls and links. */
function normalizeLines(text: string): string {
  return unlinkedText(text)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
}

/**
 * Mail programs may drop style sheets: attributes define the light colors, the sheet overrides them for dark
 * mode.
 */
const darkStyle = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.paper { background: ${paper.dark} !important; color: ${ink.dark} !important; }
.sheet { background: ${sheet.dark} !important; border-color: ${edge.dark} !important; }
.muted { color: ${muted.dark} !important; }
.quote { border-color: ${edge.dark} !important; }
.link { color: ${link.dark} !important; }
.button { background: ${signal.dark} !important; color: ${onSignal.dark} !important; }
}`;

function htmlDocument(brand: Brand, title: string, parts: readonly EmailPart[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        <style>
          ${darkStyle}
        </style>
      </head>
      <body class="paper" style="margin: 0; padding: 0; background: ${paper.light}; color: ${ink.light};">
        <table
          class="paper"
          role="presentation"
          style="width: 100%; border-collapse: collapse; background: ${paper.light}; color: ${ink.light};"
        >
          <tr>
            <td style="padding: 24px 12px;">
              <table
                role="presentation"
                style="width: 100%; max-width: 36em; margin: 0 auto; border-collapse: separate; border-spacing: 0;"
              >
                <tr>
                  <td
                    class="sheet"
                    style="padding: 28px 24px; text-align: left; background: ${sheet.light}; border: 1px solid ${edge.light};
                      border-radius: 6px; font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;
                      overflow-wrap: anywhere;"
                  >
                    <p class="muted" style="margin: 0 0 20px; font-weight: 600; color: ${muted.light};">
                      ${brand.name}
                    </p>
                    <h1 style="margin: 0 0 16px; font-size: 24px; line-height: 1.25;">${title}</h1>
                    ${parts.map(htmlPart)} ${htmlImprint(brand)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text;
}

/** The sender's details below a line; empty if only the name is known, which is in the header. */
function htmlImprint(brand: Brand): Html {
  const { company, links } = createImprint(brand);
  if (company === '' && links.length === 0) return html``;
  return html`<div
    class="quote"
    style="margin: 24px 0 0; padding: 14px 0 0; border-top: 1px solid ${edge.light};"
  >
    ${company === '' ? html`` : small(html`${company}`)}
    ${links.map(({ label, text, url }) => small(html`${label}: ${anchor(url, text)}`))}
  </div> `;
}

const smallPrint = `margin: 0 0 10px; font-size: 14px; color: ${muted.light};`;

const small = (content: Html): Html => html`<p class="muted" style="${smallPrint}">${content}</p> `;

const anchor = (url: string, text: string): Html =>
  html`<a class="link" href="${url}" style="color: ${link.light};">${text}</a>`;

function htmlPart(part: EmailPart): Html {
  switch (part.kind) {
    case 'text':
      return html`<p style="margin: 0 0 16px;">${part.text}</p> `;
    case 'quote':
      return html`<p style="margin: 0 0 8px;">Written by ${part.by}, not by us:</p>
        <blockquote
          class="quote"
          style="margin: 0 0 16px; padding: 0 0 0 14px; border-left: 4px solid ${edge.light};"
        >
          ${htmlLines(normalizeLines(part.text))}
        </blockquote> `;
    case 'action':
      return html`<p style="margin: 0 0 16px;">${part.text}.</p>
        <p style="margin: 0 0 24px;">
          <a
            class="button"
            href="${part.url}"
            style="display: inline-block; padding: 12px 22px; background: ${signal.light}; color: ${onSignal.light};
              font-weight: 600; text-decoration: none; border-radius: 4px;"
            >${part.label}</a
          >
        </p> `;
    case 'note':
      return small(
        part.url === undefined
          ? html`${part.text}`
          : html`${part.text}: ${anchor(part.url, part.label ?? part.url)}`,
      );
  }
}

/** Mail programs do not support `white-space`. */
function htmlLines(text: string): Html[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`));
}
