import type { IncomingMessage, ServerResponse } from 'node:http';
import { previewAccess } from './preview-access.ts';

const check = previewAccess(['https://www.example.com']);

function ask(headers: Record<string, string>, method = 'GET') {
  const sent: Record<string, string> = {};
  const response = {
    statusCode: 200,
    setHeader: (name: string, value: string) => void (sent[name.toLowerCase()] = value),
    end: jest.fn(),
  };
  const next = jest.fn();
  const request: Pick<IncomingMessage, 'headers' | 'method'> = { headers, method };
  check(request as IncomingMessage, response as unknown as ServerResponse, next);
  return { passed: next.mock.calls.length === 1, status: response.statusCode, sent };
}

test.each([
  { origin: 'https://www.example.com' },
  { referer: 'https://www.example.com/blocks', 'sec-fetch-mode': 'no-cors' },
])('a page of the site may load everything: %j', (headers) => {
  expect(ask(headers)).toMatchObject({
    passed: true,
    sent: {
      'access-control-allow-origin': 'https://www.example.com',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
});

test.each([
  {},
  { origin: 'https://evil.example' },
  { origin: 'https://www.example.com.evil.example' },
  { referer: 'https://evil.example/?https://www.example.com/' },
  { origin: 'null', referer: 'https://www.example.com/' },
])('other origins may not: %j', (headers) => {
  const { sent } = ask(headers);
  expect(sent['access-control-allow-origin']).toBeUndefined();
  expect(sent['cross-origin-resource-policy']).toBe('same-origin');
});

test('scripts and images of other sites are rejected', () => {
  const { passed, status } = ask({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' });
  expect([passed, status]).toEqual([false, 403]);
});

test('a public site may access a private network only if it is the configured one', () => {
  const asking = { 'access-control-request-private-network': 'true' };
  expect(ask({ ...asking, origin: 'https://www.example.com' }, 'OPTIONS')).toMatchObject({
    passed: false,
    status: 204,
    sent: { 'access-control-allow-private-network': 'true' },
  });
  expect(ask({ ...asking, origin: 'https://evil.example' }, 'OPTIONS').sent).not.toHaveProperty(
    'access-control-allow-private-network',
  );
});
