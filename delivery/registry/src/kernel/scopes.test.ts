import { ScopeSchema } from '@site/contract/registry-calls/scopes';
import * as v from 'valibot';
import { allows } from './scopes.ts';

test('a token for one app allows neither other apps nor other actions', () => {
  const scopes = ['publish:mfe-blocks'];
  expect(allows(scopes, 'publish:mfe-blocks')).toBe(true);
  expect(allows(scopes, 'publish:mfe-blocks-two')).toBe(false);
  expect(allows(scopes, 'publish:shell')).toBe(false);
  expect(allows(scopes, 'activate:mfe-blocks')).toBe(false);
  expect(allows(scopes, 'ops')).toBe(false);
});

test('ops allows everything', () => {
  expect(allows(['ops'], 'publish:shell')).toBe(true);
  expect(allows(['ops'], 'activate:mfe-blocks')).toBe(true);
  expect(allows(['ops'], 'publish:<app>')).toBe(true);
});

test('only a publisher may upload, whichever app it publishes', () => {
  expect(allows(['publish:mfe-blocks'], 'publish:<app>')).toBe(true);
  expect(allows(['read', 'activate:mfe-blocks'], 'publish:<app>')).toBe(false);
});

test('a token for one edge allows no other edge', () => {
  expect(allows(['edge:edge-1'], 'edge:edge-1')).toBe(true);
  expect(allows(['edge:edge-1'], 'edge:edge-11')).toBe(false);
  expect(allows(['edge:edge-1'], 'read')).toBe(false);
  expect(allows(['read'], 'edge:edge-1')).toBe(false);
  expect(allows(['edge:edge-1'], 'edge:<id>')).toBe(true);
  expect(allows(['read', 'publish:shell'], 'edge:<id>')).toBe(false);
});

test.each([
  'publish:',
  'publish:*',
  'publish:<app>',
  'OPS',
  'publish:mfe-',
  'activate:../x',
  'edge:',
  'edge:a b',
  'edge:*',
  'edge:<id>',
])('%s is not a scope', (text) => {
  expect(v.is(ScopeSchema, text)).toBe(false);
});
