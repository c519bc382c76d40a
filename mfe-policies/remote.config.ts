import { defineRemote } from '@site/contract';

const policies = ['privacy', 'terms-and-conditions', 'terms-of-service', 'support', 'cookies'];

export default defineRemote({
  name: 'mfe-policies',
  owner: 'policies',
  pages: policies.map((name) => ({ path: `/policies/${name}`, page: `./src/pages/${name}-page.tsx` })),
  redirects: policies.map((name) => ({ from: `/company-policies/${name}`, to: `/policies/${name}` })),
});
