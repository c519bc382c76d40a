import { BOOT_DATA_ID, type BootData } from '@site/contract';

/**
 * Reads the release data block from the document. It is written by the edge that sent the document, from validated data,
 * as the first thing of its head: an element of a page that has the same id comes later, and elsewhere.
 *
 * @throws Error when the document has none: it was not made by the edge or the dev server.
 */
export function readBootData(document: Document): BootData {
  const text = document.querySelector(`head > script#${BOOT_DATA_ID}`)?.textContent;
  if (!text) throw new Error(`The document has no #${BOOT_DATA_ID}. Open the site through its server.`);
  return JSON.parse(text) as BootData;
}
