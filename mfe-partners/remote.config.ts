import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-partners',
  owner: 'partners',
  pages: [{ path: '/partners', page: './src/pages/partners-page.tsx', card: 'Be the brick that joins' }],
  // Beside the pages of the company, where the footer's column has it.
  redirects: [{ from: '/company/partners', to: '/partners' }],
});
