import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-marketing',
  owner: 'marketing',
  pages: [
    { path: '/home', page: './src/pages/home-page.tsx', variants: { headline: ['a', 'b'] } },
    { path: '/start', page: './src/pages/start-page.tsx' },
    { path: '/support', page: './src/pages/support-page.tsx' },
    { path: '/developers', page: './src/pages/developers-page.tsx' },
    { path: '/about-us', page: './src/pages/about-page.tsx' },
    { path: '/cases', page: './src/pages/cases-page.tsx' },
    { path: '/startups', page: './src/pages/startups-page.tsx' },
    { path: '/indie', page: './src/pages/indie-page.tsx' },
    { path: '/agencies', page: './src/pages/agencies-page.tsx' },
  ],
  redirects: [
    { from: '/', to: '/home' },
    { from: '*', to: '/home' },
    { from: '/company', to: '/about-us' },
    { from: '/company/study-cases', to: '/cases' },
    { from: '/company/team', to: '/about-us#team' },
    { from: '/company/investors', to: '/about-us#investors' },
  ],
});
