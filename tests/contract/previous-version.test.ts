import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertCalls } from '@site/contract/registry-calls/alert.calls';
import { appCalls } from '@site/contract/registry-calls/app.calls';
import { readAnswer } from '@site/contract/registry-calls/client';
import { guardCalls } from '@site/contract/registry-calls/guard.calls';
import { inboxCalls } from '@site/contract/registry-calls/inbox.calls';
import type { Call } from '@site/contract/registry-calls/call';
import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import { sessionCalls } from '@site/contract/registry-calls/session.calls';
import { trustCalls } from '@site/contract/registry-calls/trust.calls';
import { viewCalls } from '@site/contract/registry-calls/view.calls';
import { createHarness, type Harness } from '@site/registry/testing/harness';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import fastify, { type FastifyInstance } from 'fastify';
import { hashOfLink, runScenario, type Exchange } from './scenario.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>;
  components: { schemas: Record<string, object> };
}

/**
 * The recorded exchanges of the previous minor version's command line and edge with its registry, and its API document
 * (`record.ts`).
 */
const read = <T>(name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'previous', name), 'utf8')) as T;
const previous = { exchanges: read<Exchange[]>('exchanges.json'), document: read<Document>('openapi.json') };

const calls = Object.entries<Call>(registryCalls).map(([name, call]) => ({
  name,
  call,
  path: patternOf(call.path),
}));

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace('*', '.*').replaceAll(/:\w+|\{\w+\}/g, '[^/]+')}$`);
}

const pathOf = ({ path }: Exchange) => path.split('?', 1)[0] ?? '';
const NO_CONTENT = 204;
const isDone = ({ status }: Exchange) => status < 300;

function callOf(exchange: Exchange) {
  const found = calls.find(
    ({ call, path }) => call.method === exchange.method && path.test(pathOf(exchange)),
  );
  if (!found) throw new Error(`No call is ${exchange.method} ${exchange.path}.`);
  return found;
}

let server: TestDatabase;
beforeAll(async () => {
  server = await startDatabase();
});
afterAll(() => server.stop());

describe('the API document of the previous registry', () => {
  let validators: FastifyInstance;
  beforeAll(async () => {
    // Only used for its JSON schema compiler. Nothing is added, removed or coerced.
    const customOptions = {
      removeAdditional: false,
      useDefaults: false,
      coerceTypes: false,
      strict: false,
    } as const;
    validators = fastify({ ajv: { customOptions } });
    validators.post('/', { schema: { body: true } }, () => null);
    await validators.ready();
  });
  afterAll(() => validators.close());

  function problemsOf(name: string, value: unknown): unknown {
    const { components } = previous.document;
    if (!components.schemas[name]) return null;
    const schema = { components, $ref: `#/components/schemas/${name}` };
    const validate = validators.validatorCompiler?.({ schema, method: 'POST', url: '/' } as never);
    const result: unknown = validate?.(value);
    return result === true ? null : ((validate as unknown as { errors: unknown }).errors ?? result);
  }

  test('describes the requests of this command line and edge, and the responses of this registry', async () => {
    const exchanges = await runScenario(server.database);
    expect(exchanges.length).toBeGreaterThan(50);
    for (const exchange of exchanges) {
      const operations = Object.entries(previous.document.paths)
        .filter(([path]) => patternOf(path).test(pathOf(exchange)))
        .flatMap(([, methods]) => methods[exchange.method.toLowerCase()] ?? []);
      const known = operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
      const sent = [...new URL(exchange.path, 'http://registry').searchParams.keys()];
      expect({ exchange, unknown: sent.filter((name) => !known.includes(name)) }).toEqual({
        exchange,
        unknown: [],
      });
      const { operationId = '' } = operations[0] ?? {};
      const { body, answer } = exchange;
      const asked = body && 'json' in body ? problemsOf(`${operationId}Body`, body.json) : null;
      expect({ operationId, body, asked }).toEqual({ operationId, body, asked: null });
      const answered = isDone(exchange) ? problemsOf(`${operationId}Answer`, answer) : null;
      expect({ operationId, answer, answered }).toEqual({ operationId, answer, answered: null });
    }
  });
});

test('this command line and edge read the responses of the previous registry', () => {
  const seen = new Set<string>();
  for (const exchange of previous.exchanges.filter(isDone)) {
    const { name, call } = callOf(exchange);
    seen.add(name);
    // Clients do not read a response without content, whatever the call returns now.
    if (exchange.status === NO_CONTENT) continue;
    expect(() => readAnswer(call, exchange.answer)).not.toThrow();
  }
  // Streams, calls of the console, and calls without a command in the scenario.
  const groups = {
    ...appCalls,
    ...guardCalls,
    ...alertCalls,
    ...sessionCalls,
    ...trustCalls,
    ...viewCalls,
    ...inboxCalls,
  };
  const notRecorded = [
    ...['followChannel', 'takeBackup', 'restoreBackup', 'readRelease', 'forgetEdge'],
    ...['reportSignals', 'listPreviews', 'retireApp', 'rollBackConfig', 'listDeclaredForms', 'recover'],
    ...Object.keys(groups),
  ];
  const documented = Object.values(previous.document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId);
  const names = calls.map(({ name }) => name);
  const expected = names.filter((name) => documented.includes(name) && !notRecorded.includes(name));
  expect([...seen]).toEqual(expect.arrayContaining(expected));
  expect(names).toEqual(expect.arrayContaining(notRecorded));
});

test('the previous command line and edge get the same responses from this registry', async () => {
  const registry = await createHarness(server.database);
  try {
    const names = new Map<string, string>();
    for (const exchange of previous.exchanges) {
      const answer = await ask(registry, exchange, names);
      const { method, path, status } = exchange;
      // A client that expects no content ignores any.
      const isDoneAsWell = status === NO_CONTENT && answer.status === 200;
      expect({ method, path, status: answer.status, body: answer.body }).toMatchObject({
        method,
        path,
        status: isDoneAsWell ? 200 : status,
      });
      learn(exchange.answer, answer.body, names);
    }
  } finally {
    await registry.stop();
  }
});

function ask(registry: Harness, { method, path, headers, body }: Exchange, names: Map<string, string>) {
  const url = path
    .split('/')
    .map((part) => names.get(part) ?? part)
    .join('/');
  const sent = body && ('json' in body ? (body.json as object) : Buffer.from(body.base64, 'base64'));
  return registry.send(method as 'GET', url, { headers, ...(sent ? { body: sent } : {}) });
}

/**
 * Ids and secrets are new in each run: maps each recorded one to the one at the same position in the response.
 */
function learn(before: unknown, now: unknown, names: Map<string, string>): void {
  if (typeof before === 'string' && typeof now === 'string') {
    // The first occurrence, where it was created: lists may have another order.
    if (!names.has(before)) names.set(before, now);
    if (URL.canParse(before) && URL.canParse(now)) names.set(hashOfLink(before), hashOfLink(now));
  } else if (typeof before === 'object' && before !== null && typeof now === 'object' && now !== null) {
    for (const [key, value] of Object.entries(before))
      learn(value, (now as Record<string, unknown>)[key], names);
  }
}

/** The keys of these are names of apps, pages and so on, which readers do not know in advance. */
const records = new Set([
  'apps',
  'digests',
  'lastGood',
  'absent',
  'leftOut',
  'retired',
  'manifests',
  // The objects of packs, not the lists of the same name.
  ...['files', 'pages'],
  'variants',
  'requires',
  'provides',
  'rootFiles',
  'forms',
  'details',
]);

/** A possible response of a newer registry: unknown fields at every depth. */
function withMore(value: unknown, isRecord: boolean = false): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withMore(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>).map(([key, inner]) => [
    key,
    // Records of records.
    key === 'rendered' ? inner : withMore(inner, records.has(key) && !Array.isArray(inner)),
  ]);
  return {
    ...Object.fromEntries(entries),
    ...(isRecord ? {} : { addedLater: { by: ['a newer', 'registry'] } }),
  };
}

test('the command line and edge ignore fields that a newer registry adds, at any depth', async () => {
  await expect(runScenario(server.database, (answer) => withMore(answer))).resolves.toHaveLength(
    previous.exchanges.length,
  );
});
