import { BOOT_DATA_ID, type BootData } from '@site/contract';

/**
 * Reads the release data block from the document. The edge writes it from validated data at the start of the head. A
 * page's element with the same ID comes later in the document.
 *
 * @throws Error if the document has none, because neither the edge nor the dev server created it.
 */
export function readBootData(document: Document): BootData {
  const text = document.querySelector(`head > script#${BOOT_DATA_ID}`)?.textContent;
  if (!text) throw new Error(`The document has no #${BOOT_DATA_ID}. Open the site through its server.`);
  return JSON.parse(text) as BootData;
}
