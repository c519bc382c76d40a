import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { baseErrors } from './base-errors.ts';
import { createServer } from './create-server.ts';
import { mountOperations } from './mount-calls.ts';
import type { Operations } from './service-description.ts';
import { readErrors } from './testing/answers.ts';

const schemas = { Note: v.strictObject({ text: v.string() }) };
const note = { 200: { description: 'The note.', schema: 'Note' } };
const operations = {
  changeNote: {
    method: 'put',
    path: '/notes/{id}',
    summary: 'Change a note',
    description: '',
    access: 'app',
    query: v.object({ 'page[size]': v.optional(v.picklist(['1', '2'], 'Give 1 or 2.'), '1') }),
    body: 'Note',
    answers: note,
    errors: [],
  },
  readLine: {
    method: 'get',
    path: '/line',
    summary: 'Read a line',
    description: '',
    access: 'open',
    answers: { 200: { description: 'A line of text.' } },
    errors: [],
  },
} satisfies Operations<keyof typeof schemas>;

let app: FastifyInstance;
beforeAll(async () => {
  app = await createServer({ name: 'notes' });
  const gates = {
    app({ headers }: FastifyRequest) {
      if (headers['appid'] === 'shop') return headers['appid'];
      throw baseErrors.unavailable('Nobody asks.');
    },
  };
  mountOperations(app, { operations, schemas }, gates, {
    changeNote: ({ caller, query, body, request }) => ({
      data: [caller, query['page[size]'], body.text, request.params],
    }),
    readLine: ({ reply }) => reply.type('text/plain').send('a line'),
  });
});
afterAll(() => app.close());

const change = (url: string, payload: object, headers = {}) =>
  app.inject({ method: 'PUT', url, payload, headers });
const shop = { appid: 'shop' };

test('a handler gets the authorized caller and the parsed input, and its response is not cacheable', async () => {
  const answer = await change('/notes/7?page[size]=2', { text: 'hello' }, shop);
  expect(answer.json()).toEqual({ data: ['shop', '2', 'hello', { id: '7' }] });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.api+json',
    'cache-control': 'no-store',
  });
});

test('the caller is checked first, then the query, then the body', async () => {
  const codes = async (...asked: Parameters<typeof change>) =>
    readErrors(await change(...asked)).map(({ code }) => code);
  expect(await codes('/notes/7?page[size]=3', {})).toEqual(['unavailable']);
  expect(await codes('/notes/7?page[size]=3', {}, shop)).toEqual(['request_malformed']);
  expect(await codes('/notes/7', {}, shop)).toEqual(['body_invalid']);
  expect(await codes('/notes/7?sort=text', {}, shop)).toEqual(['query_unsupported']);
});

test("a response other than JSON:API is sent unchanged, and JSON:API's query rules do not apply", async () => {
  const answer = await app.inject({ url: '/line?sort=text' });
  expect([answer.statusCode, answer.body]).toEqual([200, 'a line']);
});
