import { defineShell } from '@site/contract';
import { palette } from '@site/contract/palette';

/** The edge replaces `{brand}` with the brand's name. @see https://www.w3.org/TR/appmanifest/ */
const manifest = {
  name: '{brand}: managed API building blocks',
  short_name: '{brand}',
  description: 'Plug. Build. Ship. Production-ready backend blocks that plug into any frontend.',
  lang: 'en',
  start_url: '/home',
  scope: '/',
  display: 'browser',
  background_color: palette.paper.light,
  theme_color: palette.paper.light,
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
    { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
    { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
};

export default defineShell({
  icon: './src/static/favicon.svg',
  card: 'Managed API building blocks',
  rootFiles: {
    'site.webmanifest': JSON.stringify(manifest),
    // The edge adds the deployment-specific fields: Contact, Canonical and Expires.
    'security.txt': 'Preferred-Languages: en\n',
  },
});
