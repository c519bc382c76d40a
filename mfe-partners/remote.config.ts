import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-partners',
  owner: 'partners',
  pages: [{ path: '/partners', page: './src/pages/partners-page.tsx', card: 'Be the brick that joins' }],
  // The footer links to this path, next to the other company pages.
  redirects: [{ from: '/company/partners', to: '/partners' }],
});
