import type { SiteConfig } from '@site/contract';
import { DOCUMENT_QUALITY } from '@site/server/encoded-body';
import { createBootData } from '@site/documents/boot-data';
import { assembleDocument } from '@site/documents/document';
import { digest } from '../kernel/canonical-json.ts';

const FORM_CONFIG: SiteConfig = {
  origin: 'http://a.test',
  mode: 'production',
  gateway: { base: 'http://b.test/', appId: 'app' },
  forms: { base: 'http://c.test/', appId: 'app' },
};

/** Hash of the document format and compression settings: invalidates weights measured by other registry versions. */
export const DOCUMENT_FORM = digest([
  assembleDocument({
    inlineScripts: ['script'],
    styles: [{ href: '/style', css: 'css' }],
    fonts: [{ href: '/font', type: 'font/woff2' }],
    preloads: [{ href: '/preload', integrity: 'hash' }],
    entry: { href: '/entry', integrity: 'hash' },
    rootFiles: ['favicon.ico', 'favicon.svg', 'apple-touch-icon.png', 'site.webmanifest'],
    card: { url: '/card', text: 'text' },
    page: { head: 'head', html: 'html' },
    boot: createBootData(
      { release: { id: 'r1', channel: 'production', config: FORM_CONFIG } },
      { remotes: [], routes: [], redirects: [] },
      ['/script'],
      { inlineBytes: -1 },
    ).of('mfe', '/', true, {}),
    banner: null,
  }).html,
  DOCUMENT_QUALITY,
]);
