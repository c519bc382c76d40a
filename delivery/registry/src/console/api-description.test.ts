import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import { forEachTest } from '@site/server/testing/for-each-test';
import { expectDescribed } from '@site/server/testing/expect-described';
import { createHarness } from '../testing/harness.ts';

const registry = forEachTest(createHarness);

test('the API description is public and contains exactly the calls of the table', async () => {
  // Console routes are for browsers: page, files, session, sign-in and sign-out.
  const ofConsole = 5;
  // The npm protocol reads and publishes at /npm/*. Fastify prints the reading route and that of /v1/assets as one.
  const ofPackages = 1;
  const { paths, components } = await expectDescribed(registry.app, ofConsole + ofPackages);
  expect(paths['/v1/channels/{channel}/rollbacks']?.['post']).toMatchObject({
    operationId: 'rollBack',
    security: [{ token: [] }],
    parameters: expect.arrayContaining([
      expect.objectContaining({ name: 'if-live-version', in: 'header', required: false }) as object,
      expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }) as object,
    ]) as object[],
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/rollBackBody' } } },
    },
    responses: { 200: {}, 201: {}, 403: {}, 409: {} },
  });
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(Object.keys(registryCalls).length + 1);
  // The only route that needs no token.
  expect(paths['/v1/token-exchange']?.['post']).toMatchObject({ security: [] });
  // Shared schemas are references.
  expect(components.schemas['ReleaseDocument']).toMatchObject({
    properties: {
      release: { $ref: '#/components/schemas/Release' },
      manifests: { additionalProperties: { $ref: '#/components/schemas/VersionManifest' } },
    },
  });
});

test.each([
  [
    'POST',
    '/v1/versions?dryrun=true',
    'There is no parameter "dryrun" here; there is "live-checks", "dry-run".',
  ],
  ['POST', '/v1/versions?dry-run=yes', '"dry-run" is "yes": "true" or "false" is needed.'],
  ['GET', '/v1/releases/r1?x=1', 'There is no parameter "x" here; there is none.'],
] as const)(
  '%s %s is rejected, because an ignored parameter may be the one that requests a dry run',
  async (method, url, detail) => {
    const { status, body } = await registry.send(method, url, method === 'POST' ? { body: {} } : {});
    expect([status, body.errors[0]?.code]).toEqual([400, 'request_malformed']);
    expect(body.errors[0]?.detail).toContain(detail);
  },
);

test('unauthorized callers are rejected before anything is read', async () => {
  const { status, body } = await registry.send('POST', '/v1/channels/production/freezes', {
    as: 'blocks',
    body: { unknown: 'x'.repeat(10) },
  });
  expect([status, body.errors[0]?.code]).toEqual([403, 'scope_missing']);
});
