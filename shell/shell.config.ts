import { defineShell } from '@site/contract';
import { brand } from '@site/kit/brand';

/** @see https://www.w3.org/TR/appmanifest/ */
const manifest = {
  name: `${brand.name}: managed API building blocks`,
  short_name: brand.name,
  description: `${brand.tagline} Production-ready backend blocks that plug into any frontend.`,
  lang: 'en',
  start_url: '/home',
  scope: '/',
  display: 'browser',
  background_color: '#faf8f3',
  theme_color: '#faf8f3',
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
    // The edge adds what depends on where and when it is served: Canonical and Expires.
    'security.txt': `Contact: mailto:${brand.email}\nPreferred-Languages: en\n`,
  },
});
