import { requestHeaders, type RequestRules } from './request-headers.ts';

const rules: RequestRules = {
  services: [
    { base: 'https://api.example.com/gateway/', appId: 'gateway-app' },
    { base: 'https://forms.example.com/', appId: 'forms-app' },
  ],
  accessToken: { appId: 'stored-app', authToken: 'secret' },
  pageUrl: 'https://www.example.com/home',
  cookies: 'a=1; XSRF-TOKEN=cross%20site; authToken=secret',
};
const signedIn = { Authorization: 'Bearer secret', appid: 'stored-app' };

test.each([
  'https://api.example.com/gateway/guests',
  'https://api.example.com/gateway/',
  'https://api.example.com/gateway',
  'https://API.example.com:443/gateway/guests?x=1#y',
  'https://api.example.com/other/../gateway/guests',
  'https://forms.example.com/subscriptions',
])('%s gets the token and the stored app id', (url) => {
  expect(requestHeaders(url, 'GET', rules)).toEqual(signedIn);
});

test.each([
  'https://api.example.com/gateway-admin/guests',
  'https://api.example.com/gatewayguests',
  'https://api.example.com/gateway/../secrets',
  'https://api.example.com/gateway/%2e%2e/secrets',
  'https://api.example.com/',
  'https://api.example.com.evil.example/gateway/guests',
  'https://api.example.com@evil.example/gateway/guests',
  'https://evil.example/https://api.example.com/gateway/',
  'https://evil.example/?https://api.example.com/gateway/',
  'https://forms.example.com.evil.example/',
  'https://forms.example.community/',
  'https://forms.example.com:8443/subscriptions',
  'http://api.example.com/gateway/guests',
  'https://www.example.com/gateway/guests',
  '/gateway/guests',
  'data:text/plain,https://api.example.com/gateway/',
])('%s, a lookalike, gets neither token nor app id', (url) => {
  expect(requestHeaders(url, 'GET', rules)).toEqual({});
});

test('without a token only the configured app id of the service is sent', () => {
  const anonymous = { ...rules, accessToken: { appId: '', authToken: '' } };
  expect(requestHeaders('https://api.example.com/gateway/guests', 'POST', anonymous)).toEqual({
    appid: 'gateway-app',
  });
  expect(requestHeaders('https://forms.example.com/subscriptions', 'POST', anonymous)).toEqual({
    appid: 'forms-app',
  });
});

test('if one base contains another, the inner one determines the app ID', () => {
  const nested = {
    ...rules,
    services: [
      { base: 'https://api.example.com/', appId: 'outer' },
      { base: 'https://api.example.com/forms/', appId: 'inner' },
    ],
    accessToken: { appId: '', authToken: '' },
  };
  expect(requestHeaders('https://api.example.com/forms/x', 'GET', nested)).toEqual({ appid: 'inner' });
  expect(requestHeaders('https://api.example.com/guests', 'GET', nested)).toEqual({ appid: 'outer' });
});

test('a service that is not configured matches nothing', () => {
  const missing = { ...rules, services: [{ base: '', appId: 'app' }] };
  expect(requestHeaders('/guests', 'GET', missing)).toEqual({});
  expect(requestHeaders('https://www.example.com/home', 'GET', missing)).toEqual({});
});

describe('the cross-site token', () => {
  test.each(['/api/x', 'api/x', '?x', './x'])('is copied for the non-GET relative request %s', (url) => {
    expect(requestHeaders(url, 'POST', rules)).toEqual({ 'X-XSRF-TOKEN': 'cross site' });
    expect(requestHeaders(url, 'PUT', rules)).toEqual({ 'X-XSRF-TOKEN': 'cross site' });
  });

  test.each([
    ['GET', '/api/x'],
    ['POST', 'https://www.example.com/api/x'],
    ['POST', '//evil.example/x'],
    ['POST', '\\\\evil.example/x'],
    ['POST', '/\t/evil.example/x'],
    ['POST', 'https://evil.example/x'],
  ])('is not copied for %s %s', (method, url) => {
    expect(requestHeaders(url, method, rules)).toEqual({});
  });

  test('is not copied if there is none', () => {
    expect(requestHeaders('/api/x', 'POST', { ...rules, cookies: 'XSRF-TOKEN=; other=1' })).toEqual({});
    expect(requestHeaders('/api/x', 'POST', { ...rules, cookies: 'MY-XSRF-TOKEN=other' })).toEqual({});
  });
});
