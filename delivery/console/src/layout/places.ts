export const places = [
  { key: 'n', name: 'Now', path: '/' },
  { key: 't', name: 'Timeline', path: '/timeline' },
  { key: 'f', name: 'Faults', path: '/faults' },
  { key: 'o', name: 'Forms', path: '/forms' },
  { key: 'x', name: 'Experiments', path: '/experiments' },
  { key: 'i', name: 'Inbox', path: '/inbox' },
  { key: 'z', name: 'Freezes and guard', path: '/freezes' },
  { key: 'p', name: 'Apps', path: '/apps' },
  { key: 'a', name: 'Audit', path: '/audit' },
  { key: 'k', name: 'Tokens', path: '/tokens' },
] as const;
