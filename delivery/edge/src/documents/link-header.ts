import type { DocumentParts } from './document.ts';

/**
 * The values of a document's `Link` header (RFC 8288): the fonts that the shell preloads, so that a browser (103 Early
 * Hints) or a CDN can start before the document arrives. No scripts: they would compete with the document and its
 * images on a slow connection without making the page interactive earlier.
 *
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-preload
 */
export function preloadLinks({ fonts }: DocumentParts): string[] {
  return fonts.map(({ href, type }) => `<${href}>; rel=preload; as=font; type="${type}"; crossorigin`);
}
