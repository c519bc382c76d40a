/** What browsers show, run or apply of a build: what pages are made of, and nothing that would be a page itself. */
const assetTypes: Record<string, string> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** At the root of the site machines ask for texts, too. */
const rootTypes: Record<string, string> = {
  ...assetTypes,
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

/** The `Content-Type` of everything else: a download, never guessed by the browser (nosniff). */
const DOWNLOAD = 'application/octet-stream';

/** The `Content-Type` of a file of a build, by its name. */
export function assetTypeOf(path: string): string {
  return typeIn(assetTypes, path);
}

/** The `Content-Type` of a file at the root of the site. */
export function rootTypeOf(name: string): string {
  return typeIn(rootTypes, name);
}

/** Whether a browser saves the file instead of opening it at the site's address. */
export function isDownload(contentType: string): boolean {
  return contentType === DOWNLOAD;
}

/** Whether a browser that opens the file makes a document of it, in which something could run. */
export function isDocument(contentType: string): boolean {
  return isDownload(contentType) || /[/+]xml\b/.test(contentType);
}

function typeIn(types: Record<string, string>, path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(types, extension) ? (types[extension] as string) : DOWNLOAD;
}
