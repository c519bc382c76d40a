import type { FastifyInstance } from 'fastify';
import { createServer } from './create-server.ts';
import { JSON_API } from './json-api.ts';
import { includedBy, jsonApiCall } from './json-api-call.ts';
import { readErrors } from './testing/answers.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = await createServer({ name: 'test' });
  app.get('/plain', jsonApiCall(), (_request, reply) => reply.type(JSON_API).send({ data: null }));
  app.get('/with-role', jsonApiCall({ include: ['role'] }), (request) => ({ asked: includedBy(request) }));
  app.post('/plain', jsonApiCall(), () => ({ data: null }));
});
afterAll(() => app.close());

test('responses have the media type without a charset', async () => {
  const { headers } = await app.inject({ url: '/plain' });
  expect(headers['content-type']).toBe('application/vnd.api+json');
});

test.each([
  ['nothing', undefined, 200],
  ['anything', '*/*', 200],
  ['what a browser does', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
  ['the media type', 'application/vnd.api+json', 200],
  ['the media type, less than another', 'application/json, application/vnd.api+json; q=0.5', 200],
  ['a profile', 'application/vnd.api+json; profile="https://example.com/a,b;c"', 200],
  ['a charset', 'application/vnd.api+json; charset=utf-8', 406],
  ['a foreign parameter, in capitals', 'Application/VND.API+JSON;Indent=4', 406],
  ['a foreign parameter, or anything', '*/*, application/vnd.api+json;indent=4', 406],
  ['one with and one without', 'application/vnd.api+json;indent=4, application/vnd.api+json', 200],
  ['an extension', 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"', 406],
  [
    'quotation marks that hide the plain one',
    'application/vnd.api+json; a=",application/vnd.api+json,\\",application/vnd.api+json"',
    406,
  ],
])("requests that accept %s get the standard's response", async (_what, accept, status) => {
  const answer = await app.inject({ url: '/plain', headers: accept === undefined ? {} : { accept } });
  expect(answer.statusCode).toBe(status);
  if (status === 406)
    expect(readErrors(answer)[0]).toMatchObject({ code: 'not_acceptable', source: { header: 'accept' } });
});

test.each([
  ['application/json; charset=utf-8', 200],
  ['application/vnd.api+json', 200],
  ['application/vnd.api+json; profile="https://example.com/p"', 200],
  ['application/vnd.api+json; charset=utf-8', 415],
  ['application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"', 415],
])('a body of %s is answered with %d', async (type, status) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/plain',
    headers: { 'content-type': type },
    payload: '{}',
  });
  expect(answer.statusCode).toBe(status);
});

test.each([
  ['/plain?utm_source=x&camelCase=1', 200, null],
  ['/plain?include=role', 400, 'include'],
  ['/plain?include=', 400, 'include'],
  ['/plain?sort=name', 400, 'sort'],
  ['/plain?fields[guests]=name', 400, 'fields[guests]'],
  ['/plain?page%5Bsize%5D=1', 400, 'page[size]'],
  ['/plain?whatever=1', 400, 'whatever'],
  ['/with-role?include=role', 200, null],
  ['/with-role?include=role,guests', 400, 'include'],
  ['/with-role?include=role.name', 400, 'include'],
  ['/with-role?include=role&include=guests', 400, 'include'],
  ['/with-role?sort=name', 400, 'sort'],
])('%s is answered with %d', async (url, status, parameter) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(status);
  if (parameter !== null)
    expect(readErrors(answer)[0]).toMatchObject({ code: 'query_unsupported', source: { parameter } });
});

test.each([
  ['/with-role', null],
  ['/with-role?include=', []],
  ['/with-role?include=role', ['role']],
])('%s requests the relationships %j', async (url, asked) => {
  expect((await app.inject({ url })).json()).toEqual({ asked });
});
