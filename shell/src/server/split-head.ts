import type { RenderedPage } from '@site/contract';

/** The tags that React writes before the markup because they belong in `<head>`. */
const headTag = /^(?:<title(?:\s[^>]*)?>[^<]*<\/title>|<(?:meta|link)(?:\s[^>]*)?>)/;

/**
 * Splits React's output into head and body. React writes hoisted tags (title, meta, link) first if the tree has no
 * `<head>`.
 *
 * @see https://react.dev/reference/react-dom/components/title
 */
export function splitHead(markup: string): RenderedPage {
  let end = 0;
  for (;;) {
    const match = headTag.exec(markup.slice(end));
    if (!match) break;
    end += match[0].length;
  }
  return { head: markup.slice(0, end), html: markup.slice(end) };
}
