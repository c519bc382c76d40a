import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-blocks',
  owner: 'blocks',
  pages: [
    { path: '/blocks', page: './src/pages/blocks-page.tsx', card: 'Every backend part, in one box' },
    { path: '/blocks/auth', page: './src/pages/auth-block-page.tsx', card: 'Auth Block' },
  ],
  redirects: [],
});
