export const places = [
  { to: '/blocks', title: 'Blocks', text: 'Fifteen backend parts, call by call.' },
  {
    to: '/start#pricing',
    title: 'Plans and prices',
    text: 'Three plans with the same parts. The first month is free.',
  },
  {
    to: '/developers',
    title: 'Developers',
    text: 'Your first stored form in four steps, with samples.',
  },
  { to: '/support', title: 'Support', text: 'Where to look first, how to reach us, and how fast we answer.' },
  {
    to: '/blocks/auth',
    title: 'Auth Block',
    text: 'Registration, login and password recovery, call by call.',
  },
  { to: '/partners', title: 'Partners', text: 'Refer a team, or become a partner yourself.' },
  { to: '/cases', title: 'Customer stories', text: 'Two sample builds: screens, calls, code and hours.' },
  {
    to: '/policies/privacy',
    title: 'Privacy',
    text: 'The data we keep, and the data in your browser.',
  },
];
