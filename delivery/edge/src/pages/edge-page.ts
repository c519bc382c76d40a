import { lightDark, palette } from '@site/contract/palette';
import { escapeText } from '@site/contract/text';
import { cspHash } from '@site/server/csp-hash';
import { NO_DETECTION } from '@site/server/no-detection';
import { previewStyle } from '@site/documents/document';

const css =
  `:root{color-scheme:light dark;background:${lightDark(palette.paper)};color:${lightDark(palette.ink)};` +
  'font:1.0625rem/1.6 system-ui,sans-serif}body{max-inline-size:36rem;margin:0 auto;padding:4rem 1.25rem;' +
  'overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2;text-wrap:balance}h1 span{white-space:nowrap}' +
  `a{color:${lightDark(palette.link)};text-underline-offset:.2em}` +
  `button{padding:.625rem 1.25rem;${previewStyle}font:inherit;font-weight:600;cursor:pointer;` +
  // Clickjacking: the second click of a double click must not press the button.
  'visibility:hidden;animation:appear 0s 1s forwards}@keyframes appear{to{visibility:visible}}';

export interface EdgePage {
  status: number;
  title: string;
  heading?: string;
  html: string;
  reloadAfter?: number;
}

/** These pages may post to their own URL. */
export const edgePagePolicy =
  `default-src 'none'; style-src '${cspHash(css)}'; form-action 'self'; base-uri 'none'; ` +
  "frame-ancestors 'none'";

export function edgePageHtml({ title, heading, html, reloadAfter }: EdgePage): string {
  const text = escapeText(title);
  const reload = reloadAfter === undefined ? '' : `<meta http-equiv="refresh" content="${reloadAfter}">`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">${reload}` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${NO_DETECTION}<title>${text}</title>` +
    `<style>${css}</style></head><body><main><h1>${heading ?? text}</h1>${html}</main></body></html>\n`
  );
}

export const headersTooLargePage: EdgePage = {
  status: 431,
  title: 'Please try again',
  html:
    '<p>Your browser sent more data than the site accepts. The site’s cookies have now been removed.</p>' +
    '<p><a href="/">Go to the home page</a></p>',
};
