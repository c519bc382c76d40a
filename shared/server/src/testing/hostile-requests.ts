import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { JSON_API } from '../json-api.ts';
import type { Operation, ServiceDescription } from '../service-description.ts';
import { createToken } from '../secrets.ts';
import { readErrors } from './answers.ts';
import { hostileHeaders, hostileIds, hostileValues } from './hostile.ts';

export interface Someone {
  id: string;
  token: string;
}

export interface Attack {
  victim: Someone;
  eve: Someone;
  /** Bodies for all calls, with odd values in their fields; `ids` for id fields. */
  bodies: (ids: fc.Arbitrary<string>) => fc.Arbitrary<unknown>;
}

/** Tokens that claim to be the victim's: unsigned, of another key or algorithm, with another's signature. */
function forgedTokens({ victim, eve }: Attack): string[] {
  const [head = '', body = '', signature = ''] = victim.token.split('.');
  const [evesHead = '', , evesSignature = ''] = eve.token.split('.');
  const { kid } = decoded(head);
  const strange = {
    EdDSA: (data: Buffer) => sign(null, data, generateKeyPairSync('ed25519').privateKey),
    ES256: (data: Buffer) =>
      sign('sha256', data, {
        key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
        dsaEncoding: 'ieee-p1363',
      }),
    HS256: (data: Buffer) => createHmac('sha256', String(kid)).update(data).digest(),
    none: () => Buffer.alloc(0),
  };
  return [
    ...Object.entries(strange).map(([alg, signWith]) => {
      const signed = `${encoded({ alg, kid, typ: 'JWT' })}.${body}`;
      return `${signed}.${signWith(Buffer.from(signed)).toString('base64url')}`;
    }),
    `${encoded({ alg: 'none', kid })}.${body}.${signature}`,
    `${head}.${body}.${evesSignature}`,
    `${evesHead}.${body}.${evesSignature}`,
    `${head}.${encoded({ ...decoded(body), user_unique_id: eve.id })}.${signature}`,
  ];
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Values for `Bearer`, never the victim's own token. */
function hostileTokens(attack: Attack): fc.Arbitrary<string> {
  const { victim, eve } = attack;
  return fc.oneof(
    fc.constantFrom('', eve.token, 'a.b.c', createToken(), ...forgedTokens(attack)),
    fc.nat(victim.token.length - 1).map((length) => victim.token.slice(0, length)),
    fc.nat(victim.token.length - 2).map((at) => victim.token.slice(0, at) + victim.token.slice(at + 1)),
    fc.nat(6_000).map((size) => `a.${'b'.repeat(size)}.c`),
    fc.base64String().map((text) => `${text}.${text}.${text}`),
  );
}

/** Requests to every call of a service, by anyone but the victim. */
function hostileRequests(
  { operations, schemas }: ServiceDescription,
  attack: Attack,
): fc.Arbitrary<InjectOptions> {
  const bodyFields = ({ body = '' }: Operation): object =>
    (schemas[body] as { entries?: object } | undefined)?.entries ?? {};
  const ids = fc.oneof(fc.constantFrom(attack.victim.id, attack.eve.id), hostileIds);
  const tokens = hostileTokens(attack);
  const bodies = fc.oneof(hostileValues, attack.bodies(ids));
  return fc
    .tuple(fc.constantFrom(...operations), ids, bodies, tokens, hostileHeaders, fc.nat(3))
    .map(([operation, id, body, token, headers, strange]) => ({
      ...requestTarget(operation, id),
      headers: { ...headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      // Mostly without unknown fields, which stop the validation early.
      ...(operation.method === 'get'
        ? {}
        : jsonBody(strange === 0 ? body : onlyKnown(body, bodyFields(operation)))),
    }))
    .map(({ headers, ...request }) => ({
      ...request,
      headers: { ...headers, ...('payload' in request ? { 'content-type': 'application/json' } : {}) },
    }));
}

function onlyKnown(body: unknown, fields: object): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name)));
}

/** A body as a browser posts a plain form from a page of `origin`. */
export function formPost(
  body: Record<string, unknown>,
  origin: string,
): { payload: string; headers: Record<string, string> } {
  const entries = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one): [string, string] => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  );
  return {
    payload: new URLSearchParams(entries).toString(),
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
  };
}

/** An operation's call for an id, for `app.inject`. */
function requestTarget({ method, path }: Operation, id: string): { method: 'GET'; url: string } {
  // `inject` supports more methods than operations.
  return { method: method.toUpperCase() as 'GET', url: path.replace('{id}', encodeURIComponent(id)) };
}

const jsonBody = (body: unknown) => ({ payload: JSON.stringify(body) });

/**
 * Checks the guarantees for every response: no server failure; every error is a JSON:API error with a code of
 * the table. Pages for browsers are pages also for errors.
 */
export function checkAnswer(answer: LightMyRequestResponse, { errors: table }: ServiceDescription): void {
  expect(answer.statusCode).toBeLessThan(500);
  if (answer.statusCode < 400 || String(answer.headers['content-type']).startsWith('text/html')) return;
  expect(answer.headers['content-type']).toContain(JSON_API);
  const errors = readErrors(answer);
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) {
    expect(Object.keys(table)).toContain(error.code);
    expect(error).toMatchObject({
      status: String(answer.statusCode),
      title: table[error.code]?.title,
      detail: expect.any(String) as unknown,
    });
  }
}

export interface AttackOptions {
  check(answer: LightMyRequestResponse): void;
  numRuns: number;
}

export async function attackWith(
  app: FastifyInstance,
  description: ServiceDescription,
  attack: Attack,
  { check, numRuns }: AttackOptions,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(hostileRequests(description, attack), async (request) => {
      const answer = await app.inject(request);
      checkAnswer(answer, description);
      check(answer);
    }),
    { numRuns },
  );
}

export async function sendBytes(
  app: FastifyInstance,
  description: ServiceDescription,
  someone: Someone,
  numRuns: number,
): Promise<void> {
  const operations = description.operations.filter(({ body }) => body);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('application/json', 'application/vnd.api+json', 'text/plain', 'image/png', ''),
      async (operation, bytes, type) => {
        const answer = await app.inject({
          ...requestTarget(operation, someone.id),
          headers: {
            authorization: `Bearer ${someone.token}`,
            ...(type === '' ? {} : { 'content-type': type }),
          },
          payload: Buffer.from(bytes),
        });
        checkAnswer(answer, description);
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      },
    ),
    { numRuns },
  );
}

/** Sends operator calls with all kinds of ids and a valid token. */
export async function askAsAdmin(
  app: FastifyInstance,
  description: ServiceDescription,
  adminToken: string,
  numRuns: number,
): Promise<void> {
  const operations = description.operations.filter(
    ({ access, path, parameters = [] }) =>
      access === 'admin' && (path.includes('{') || parameters.some(({ required }) => required)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      hostileIds,
      hostileHeaders,
      async (operation, id, headers) => {
        const answer = await app.inject({
          ...requestTarget(operation, id),
          headers: { ...headers, authorization: `Bearer ${adminToken}` },
        });
        checkAnswer(answer, description);
        // No body is sent.
        expect([400, 404, ...(operation.body ? [422] : [])]).toContain(answer.statusCode);
      },
    ),
    { numRuns },
  );
}
