import type { RenderedPage } from '@site/contract';

/** The tags that React puts ahead of the markup because they belong in `<head>`. */
const headTag = /^(?:<title(?:\s[^>]*)?>[^<]*<\/title>|<(?:meta|link)(?:\s[^>]*)?>)/;

/**
 * Divides what React rendered into the part for `<head>` and the part for the body. React writes hoisted tags (title,
 * meta, link) first when the tree has no `<head>` of its own.
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
