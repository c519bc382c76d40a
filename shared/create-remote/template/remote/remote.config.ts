import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-template',
  owner: 'template-owner',
  pages: [{ path: '/template', page: './src/pages/template-page.tsx', card: 'Template title' }],
  redirects: [],
});
