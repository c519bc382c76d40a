import { keepsCrawlersAway } from './crawling.ts';

const services = { gateway: { base: '', appId: '' }, forms: { base: '', appId: '' } } as const;

test.each([
  ['production', 'https://www.example.com', false],
  ['staging', 'https://staging.example.com', true],
  ['staging', 'https://localhost.example.com', true],
  ['staging', 'http://10.0.0.5:8080', true],
  ['staging', 'https://127.example.com', true],
  // No crawler reaches these, and they should measure as production does.
  ['staging', 'http://localhost:8080', false],
  ['staging', 'http://site.localhost', false],
  ['staging', 'http://127.0.0.1:8080', false],
  ['staging', 'http://[::1]:8080', false],
] as const)('a %s site at %s: noindex is %s', (mode, origin, away) => {
  expect(keepsCrawlersAway({ mode, origin, ...services })).toBe(away);
});
