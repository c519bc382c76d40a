import type { DocumentParts } from './document.ts';

/**
 * The values of the `Link` header of a document (RFC 8288): the largest of what its head asks for, so that a browser
 * (103 Early Hints) or a CDN can begin before the document has arrived. The page's own scripts are small, and wait for the
 * shell's anyway: they leave their places to the pictures of the first view.
 *
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-preload
 */
export function preloadLinks({ fonts, entry }: DocumentParts): string[] {
  return [
    ...fonts.map(({ href, type }) => `<${href}>; rel=preload; as=font; type="${type}"; crossorigin`),
    `<${entry.href}>; rel=preload; as=script; crossorigin=anonymous; integrity="${entry.integrity}"`,
  ];
}
