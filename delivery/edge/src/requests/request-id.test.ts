import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';

const harness = edgeHarnessForEachTest();

test.each([
  ['/blocks', 200],
  ['/', 302],
  ['/%ff', 400],
  ['/assets/mfe-blocks/none.js', 404],
  ['/_preview?id=unknown', 403],
])('the response of %s has the request id of the log, and an error also shows it', async (target, status) => {
  const lines: string[] = [];
  const { url, stop } = await harness.startServing({ writeAccessLog: (written) => lines.push(written) });
  const answer = await ask(url, target);
  await stop();
  const { requestId } = JSON.parse(lines.join('')) as { requestId: string };
  expect(answer).toMatchObject({ status, headers: { 'x-request-id': requestId } });
  expect(answer.text.includes(`Request ID: ${requestId}`)).toBe(status >= 400);
});

test('a failure is logged with the id, route and code that its response shows', async () => {
  const logged: object[] = [];
  const collect = (details: object, message: string) => void logged.push({ ...details, message });
  const { url, stop } = await harness.startServing({
    random: () => {
      throw new Error('no more randomness');
    },
    trustProxy: 1,
    log: { info: collect, warn: collect, error: collect },
  });
  const answer = await ask(url, '/home', { headers: { 'x-request-id': 'of-the-proxy' } });
  await stop();
  expect(answer).toMatchObject({ status: 500, headers: { 'x-request-id': 'of-the-proxy' } });
  expect(answer.text).toContain('Request ID: of-the-proxy');
  const message = 'a request failed';
  expect(logged).toContainEqual({
    ...{ requestId: 'of-the-proxy', route: '*', code: 'internal' },
    ...{ message, problem: 'no more randomness' },
  });
});
