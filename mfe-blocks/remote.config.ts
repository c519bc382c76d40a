import { defineRemote } from '@site/contract';
import { blocks, blockPath } from './src/pages/blocks-page.data.ts';

export default defineRemote({
  name: 'mfe-blocks',
  owner: 'blocks',
  pages: [
    { path: '/blocks', page: './src/pages/blocks-page.tsx', card: 'Every backend part, in one box' },
    { path: '/blocks/auth', page: './src/pages/auth-block-page.tsx', card: 'Auth Block' },
    ...blocks
      .filter(({ slug }) => slug !== 'auth')
      .map(({ slug, name }) => ({
        path: blockPath(slug),
        page: `./src/block/${slug}-block-page.tsx`,
        card: `${name} Block, call by call`,
      })),
  ],
  redirects: [],
});
