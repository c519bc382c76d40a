import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, siteConfig } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);
const errorCode = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
];
const blocks = remoteManifest('mfe-blocks');
const [page] = blocks.pages;

test.each([
  '/v1/apps/mfe%00/versions',
  `/v1/apps/mfe%00/versions/${blocks.version}`,
  '/v1/apps/mfe-blocks/versions/1.0.0%00',
  '/v1/assets/mfe-blocks/%00.js',
  '/v1/assets/mfe%00/a.js',
  '/v1/previews/%00',
  '/v1/previews/%00/document',
  '/v1/channels/production%00',
  '/v1/channels/production/releases?app=%00',
  '/v1/channels/production/releases?app=a&app=b',
  '/v1/releases/r1%00',
])('GET %s is malformed', async (url) => {
  expect(errorCode(await registry.send('GET', url))).toEqual([400, 'request_malformed']);
});

test.each([
  '/v1/previews/%00/revocations',
  '/v1/tokens/%00/revocations',
  '/v1/apps/mfe-blocks/versions/%00/quarantines',
  '/v1/channels/production%00/freezes',
])('POST %s is malformed', async (url) => {
  const answer = await registry.send('POST', url, { body: { reason: 'a test' } });
  expect(errorCode(answer)).toEqual([400, 'request_malformed']);
});

describe.each([
  ['a NUL', 'a\u0000b'],
  ['half of a surrogate pair', 'a\ud800b'],
])('%s', (_what, text) => {
  test.each<[string, string, object]>([
    ['the reason of a freeze', '/v1/channels/production/freezes', { reason: text }],
    ['the reason of a release', '/v1/channels/production/releases', { apps: {}, reason: text }],
    ['the reason of a rollback', '/v1/channels/production/rollbacks', { app: 'mfe-blocks', reason: text }],
    [
      'the configuration of a release',
      '/v1/channels/production/releases',
      { apps: {}, reason: 'a test', config: { ...siteConfig, forms: { base: '', appId: text } } },
    ],
    ['the owner of a version', '/v1/versions', { ...blocks, owner: text }],
    ['a range of a version', '/v1/versions', { ...blocks, requires: { [text]: '^1.0.0' } }],
    [
      'the card of a page',
      '/v1/versions',
      { ...blocks, pages: [{ ...page, card: { file: 'a.png', text } }] },
    ],
    ['the name of a token', '/v1/tokens', { name: text, scopes: ['read'] }],
  ])('in %s violates a rule', async (_where, url, body) => {
    expect(errorCode(await registry.send('POST', url, { body }))).toEqual([422, 'body_invalid']);
  });
});

test('a reason may have line breaks, and all valid characters', async () => {
  const reason = 'zurück – 戻す 🎉\n\tsecond line';
  const answer = await registry.send<{ freezes: object[] }>('POST', '/v1/channels/production/freezes', {
    body: { reason },
  });
  expect(answer.body.freezes).toMatchObject([{ reason }]);
});
