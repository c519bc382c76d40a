import type { DocumentParts } from './document.ts';

/**
 * The values of the `Link` header of a document (RFC 8288): the fonts that the shell wants preloaded, so that a browser (103 Early Hints) or
 * a CDN can begin before the document has arrived. No script: it would share a slow line with the document and its
 * pictures, and the page answers no earlier for it.
 *
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-preload
 */
export function preloadLinks({ fonts }: DocumentParts): string[] {
  return fonts.map(({ href, type }) => `<${href}>; rel=preload; as=font; type="${type}"; crossorigin`);
}
