import { defineRemote } from '@site/contract';
import { policies } from './src/layout/policies.data.ts';

const policyName = (path: string) => path.slice('/policies/'.length);

export default defineRemote({
  name: 'mfe-policies',
  owner: 'policies',
  pages: [
    ...policies.map(({ path, title }) => ({
      path,
      page: `./src/pages/${policyName(path)}-page.tsx`,
      card: title,
    })),
    // The search page of the whole site. It is in this remote because this remote has room for it.
    { path: '/search', page: './src/pages/search-page.tsx' },
  ],
  redirects: policies.map(({ path }) => ({ from: `/company-policies/${policyName(path)}`, to: path })),
});
