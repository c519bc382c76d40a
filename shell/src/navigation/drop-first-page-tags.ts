import { FIRST_PAGE_ATTRIBUTE } from '@site/contract';
import type { Navigation } from './navigation.ts';

/** Takes the tags that are about the document's first page alone out of `<head>` once another page is shown. */
export function dropFirstPageTags({ get, subscribe }: Navigation, document: Document): void {
  const first = get().page;
  const stop = subscribe(() => {
    if (get().page === first) return;
    stop();
    for (const tag of document.head.querySelectorAll(`[${FIRST_PAGE_ATTRIBUTE}]`)) tag.remove();
  });
}
