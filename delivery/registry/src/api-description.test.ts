import type { Call } from '@site/contract/registry-calls/call';
import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import { forEachTest } from '@site/server/testing/for-each-test';
import { routesOf } from '@site/server/testing/routes-of';
import { registryDescription } from './api-description.ts';
import { createHarness } from './testing/harness.ts';

const registry = forEachTest(createHarness);

test('the registry answers exactly the calls of the table', () => {
  const calls = Object.entries<Call>(registryCalls);
  const missing = calls.filter(([, { method, path: url }]) => !registry.app.hasRoute({ method, url }));
  expect(missing.map(([name]) => name)).toEqual([]);
  expect(routesOf(registry.app)).toHaveLength(
    calls.length + calls.filter(([, { formerPath }]) => formerPath !== null).length,
  );
});

test('the API is described for programs and for people, to whoever asks', async () => {
  const document = (await registry.app.inject('/openapi.json')).json<{
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
  }>();
  expect(document.openapi).toBe('3.1.1');
  const rollback = document.paths['/v1/channels/{channel}/rollbacks']?.['post'];
  expect(rollback).toMatchObject({
    operationId: 'rollBack',
    security: [{ token: [] }],
    parameters: expect.arrayContaining([
      expect.objectContaining({ name: 'if-live-version', in: 'header', required: false }) as object,
      expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }) as object,
    ]) as object[],
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/rollBackBody' } } },
    },
  });
  expect(Object.keys(rollback?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '201', '403', '409']),
  );
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(registryCalls).sort());

  const page = await registry.app.inject('/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const { method, path } of registryDescription.operations) {
    expect(page.body).toContain(`${method.toUpperCase()} ${path}`);
  }
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
  '%s %s is refused: what is overlooked may be what says "change nothing"',
  async (method, url, detail) => {
    const { status, body } = await registry.send(method, url, method === 'POST' ? { body: {} } : {});
    expect([status, body.errors[0]?.code]).toEqual([400, 'request_malformed']);
    expect(body.errors[0]?.detail).toContain(detail);
  },
);

test('who may not, is told so before anything is read', async () => {
  const { status, body } = await registry.send('POST', '/v1/channels/production/freezes', {
    as: 'blocks',
    body: { unknown: 'x'.repeat(10) },
  });
  expect([status, body.errors[0]?.code]).toEqual([403, 'scope_missing']);
});
