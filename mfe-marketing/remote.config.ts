import { defineRemote } from '@site/contract';

export default defineRemote({
  name: 'mfe-marketing',
  owner: 'marketing',
  pages: [
    {
      path: '/home',
      page: './src/pages/home-page.tsx',
      variants: { headline: ['a', 'b'] },
      // The first one decides.
      outcomes: [
        { name: 'start', on: 'visit', path: '/start' },
        { name: 'mainButton', on: 'press' },
        { name: 'signUp', on: 'leave', path: '/auth/register' },
        { name: 'form', on: 'form' },
      ],
      card: 'Managed API building blocks',
    },
    { path: '/start', page: './src/pages/start-page.tsx', card: 'Start with one free month' },
    { path: '/support', page: './src/pages/support-page.tsx', card: 'Missing a part? Ask us.' },
    {
      path: '/developers',
      page: './src/pages/developers-page.tsx',
      card: 'Four steps to a first stored form',
    },
    {
      path: '/about-us',
      page: './src/pages/about-page.tsx',
      card: 'The parts everyone rebuilds, built once',
    },
    { path: '/cases', page: './src/pages/cases-page.tsx', card: 'Built from the same box of parts' },
    { path: '/startups', page: './src/pages/startups-page.tsx', card: 'Four weeks to your MVP' },
    { path: '/indie', page: './src/pages/indie-page.tsx', card: 'One developer, a whole backend' },
    { path: '/agencies', page: './src/pages/agencies-page.tsx', card: 'Win More Projects, Deliver Faster' },
  ],
  redirects: [
    { from: '/', to: '/home' },
    { from: '*', to: '/home' },
    { from: '/company', to: '/about-us' },
    { from: '/company/about-us', to: '/about-us' },
    { from: '/company/study-cases', to: '/cases' },
    { from: '/company/team', to: '/about-us#team' },
    { from: '/company/investors', to: '/about-us#investors' },
  ],
});
