export const policies = [
  { path: '/policies/privacy', title: 'Privacy policy' },
  { path: '/policies/terms-and-conditions', title: 'Terms and conditions' },
  { path: '/policies/terms-of-service', title: 'Terms of service' },
  { path: '/policies/support', title: 'Support policy' },
  { path: '/policies/cookies', title: 'Cookie policy' },
] as const;
