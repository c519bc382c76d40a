import { edgeAddresses, type Preview } from '@site/contract';
import { plainBody, type Body } from './body.ts';
import { cspHash, escapeText } from './document.ts';
import type { Reply } from './send.ts';

/** Why a preview link is not answered with the site. */
type PreviewProblem = 'invalid' | 'over' | 'unavailable' | 'not-pressed' | 'insecure';

const problems: Record<PreviewProblem, { status: number; title: string; text: string }> = {
  invalid: {
    status: 403,
    title: 'This preview link is not valid',
    text: 'It is incomplete, or was not made for this site. Copy the whole link, or ask for a new one.',
  },
  over: {
    status: 403,
    title: 'This preview link is over',
    text: 'It has expired or was taken back. Ask whoever sent it for a new one.',
  },
  unavailable: {
    status: 503,
    title: 'This preview is not available right now',
    text: 'Part of what it needs cannot be reached. Please try again in a moment.',
  },
  'not-pressed': {
    status: 403,
    title: 'This preview was not started here',
    text:
      'Only a person starts it: open its link yourself and press “Show the preview” there. The browser must be able to ' +
      'say that you did, as those since 2023 are.',
  },
  insecure: {
    status: 403,
    title: 'This site cannot show previews',
    text:
      'Its address begins with http://. Browsers keep the cookie of a preview for https:// only, and for http://localhost ' +
      'on the machine itself.',
  },
};

/** A page that says what is wrong with a preview link. */
export function previewProblemPage(problem: PreviewProblem): Reply {
  const { status, title, text } = problems[problem];
  return page(status, title, `<p>${text}</p><p><a href="${edgeAddresses.leavePreview}">To the site</a></p>`);
}

/**
 * Asks whether to show a preview: its code acts as the site does, so a link alone must not start it. The form leads to the
 * address that it stands at, where the id is already.
 */
export function askForPreviewPage(preview: Preview): Reply {
  const until = preview.expiresAt;
  return page(
    200,
    previewTitle(preview),
    `<p>You get this site with something that is not released yet, until <time datetime="${until}">` +
      `${until.slice(0, 16).replace('T', ' ')} UTC</time>. It can do in this browser whatever the site can, ` +
      'so go on only if you know who sent you the link.</p>' +
      '<form method="post"><button>Show the preview</button></form>' +
      '<p><a href="/">To the site as it is</a></p>',
  );
}

/** What a preview is of. */
export function previewTitle({ app, version, dev }: Preview): string {
  return dev === null ? `Preview of ${app}@${version}` : `Preview of ${app} from ${dev}`;
}

/** The colours of the site, by day and by night, and of the mark that previews carry. */
const css =
  ':root{color-scheme:light dark;background:light-dark(#faf8f3,#0c1a36);color:light-dark(#16130f,#f4f1e8);' +
  'font:1.0625rem/1.6 system-ui,sans-serif}body{max-inline-size:36rem;margin:0 auto;padding:4rem 1.25rem;' +
  'overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2}a{color:inherit}button{padding:.625rem 1.25rem;' +
  'border:2px solid #0c1a36;border-radius:.5rem;background:#ffd84d;color:#0c1a36;font:inherit;font-weight:600;cursor:pointer;' +
  // A page that puts this one under the second click of a double click must not get an answer by it.
  'visibility:hidden;animation:appear 0s 1s forwards}@keyframes appear{to{visibility:visible}}';

const policy =
  `default-src 'none'; style-src '${cspHash(css)}'; form-action 'self'; base-uri 'none'; ` +
  "frame-ancestors 'none'";

function page(status: number, title: string, html: string): Reply {
  const heading = escapeText(title);
  const body: Body = plainBody(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${heading}</title>` +
      `<style>${css}</style></head><body><main><h1>${heading}</h1>${html}</main></body></html>\n`,
  );
  return {
    status,
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Robots-Tag': 'noindex, nofollow',
      // Nobody is told the link and its id. With `no-referrer` older browsers would not say either where a form stands.
      'Referrer-Policy': 'strict-origin',
      'Cache-Control': 'no-store',
    },
  };
}
