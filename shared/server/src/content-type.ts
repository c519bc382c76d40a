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

const rootTypes: Record<string, string> = {
  ...assetTypes,
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

const DOWNLOAD = 'application/octet-stream';

/** By file name. */
export function assetContentType(path: string): string {
  return typeIn(assetTypes, path);
}

export function rootContentType(name: string): string {
  return typeIn(rootTypes, name);
}

export function isDownload(contentType: string): boolean {
  return contentType === DOWNLOAD;
}

export function isDocument(contentType: string): boolean {
  return isDownload(contentType) || /[/+]xml\b/.test(contentType);
}

function typeIn(types: Record<string, string>, path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(types, extension) ? (types[extension] as string) : DOWNLOAD;
}
