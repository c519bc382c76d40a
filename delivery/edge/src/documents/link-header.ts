import type { DocumentParts } from './document.ts';

/**
 * The values of the `Link` header of a document (RFC 8288): the same preloads as stand in its head, so that a browser
 * (103 Early Hints) or a CDN can begin before the document has arrived.
 *
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-preload
 */
export function preloadLinks({ fonts, preloads, entry }: DocumentParts): string[] {
  return [
    ...fonts.map(({ href, type }) => `<${href}>; rel=preload; as=font; type="${type}"; crossorigin`),
    ...[entry, ...preloads].map(
      ({ href, integrity }) =>
        `<${href}>; rel=preload; as=script; crossorigin=anonymous; integrity="${integrity}"`,
    ),
  ];
}
