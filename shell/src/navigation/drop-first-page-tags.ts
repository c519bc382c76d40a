import { FIRST_PAGE_ATTRIBUTE } from '@site/contract';
import type { Navigation } from './navigation.ts';

/**
 * Removes the tags of the document's first page from `<head>` once another page is shown.
 *
 * @param rendered the path of the prerendered page, or null without one.
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
  // The visitor went to another page before this code loaded.
  if (rendered !== null && first?.route.path !== rendered) return drop();
  const stop = subscribe(() => {
    if (get().page === first) return;
    stop();
    drop();
  });
}
