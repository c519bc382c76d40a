import { loggedPath } from './watch-request.ts';
import { readTarget } from './read-target.ts';
import type { Route } from './route-request.ts';

const redirect: Route = { kind: 'redirect', status: 302, from: '*', location: '/home' };
const oldAsset: Route = { kind: 'old-asset', app: 'shell', path: 'x.js' };

test.each<[string, Route | null, number, string]>([
  ['/__site/state?release=r1', { kind: 'state', query: '?release=r1' }, 200, '/__site/state'],
  ['/my-password', redirect, 302, '*'],
  ['/assets/shell/x.js?a', oldAsset, 200, '/assets/shell/x.js'],
  ['/assets/shell/my-password', oldAsset, 404, '/assets/*'],
  ['/my-password.png', { kind: 'not-found' }, 404, '*'],
  ['/my-password', null, 500, '*'],
  [
    '/_preview/leave',
    { kind: 'method-not-allowed', allowed: [], instead: { kind: 'leave-preview' } },
    405,
    '/_preview/leave',
  ],
  ['/my-password', { kind: 'method-not-allowed', allowed: [], instead: redirect }, 405, '*'],
  ['/my-password', { kind: 'other-host', location: '', instead: redirect }, 308, '*'],
])('for %s, answered with %j and %d, the log has %s', (target, answer, status, path) => {
  expect(loggedPath(readTarget(target), answer, status)).toBe(path);
});
