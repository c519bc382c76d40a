/** Starting points for a search without results. */
export const places = [
  { to: '/blocks', title: 'Blocks', text: 'Fifteen parts of a backend, and what is in each.' },
  {
    to: '/start#pricing',
    title: 'Plans and prices',
    text: 'Three plans with the same parts. The first month is free, without a credit card.',
  },
  {
    to: '/developers',
    title: 'Developers',
    text: 'Four steps from nothing to a first stored form, with samples.',
  },
  { to: '/support', title: 'Support', text: 'Where to look first, how to reach us, and how fast we answer.' },
  {
    to: '/blocks/auth',
    title: 'Auth Block',
    text: 'Registration, login and password recovery, call by call.',
  },
  { to: '/partners', title: 'Partners', text: 'Refer a team, or become a partner yourself.' },
  { to: '/cases', title: 'Customer stories', text: 'What is built from these parts, in example scenarios.' },
  {
    to: '/policies/privacy',
    title: 'Privacy',
    text: 'What happens with what you send us, and what stays in your browser.',
  },
];
