import { FIRST_PAGE_ATTRIBUTE } from '@site/contract';
import type { Navigation } from './navigation.ts';

/**
 * Takes the tags that are about the document's first page alone out of `<head>` once another page is shown.
 *
 * @param rendered the path of the page in the document, or null when the document has none.
 */
export function dropFirstPageTags(
  { get, subscribe }: Navigation,
  document: Document,
  rendered: string | null,
): void {
  const first = get().page;
  const drop = () => {
    for (const tag of document.head.querySelectorAll(`[${FIRST_PAGE_ATTRIBUTE}]`)) tag.remove();
  };
  // The visitor went to another page before this code came.
  if (rendered !== null && first?.route.path !== rendered) return drop();
  const stop = subscribe(() => {
    if (get().page === first) return;
    stop();
    drop();
  });
}
