import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceProblem } from './service-problem.ts';

test('a service has a problem if it is not ready or does not respond, not if a proxy hides the check', async () => {
  let status = 200;
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forms/`;
  expect(await serviceProblem(base)).toBeNull();
  expect(asked).toEqual(['/forms/readyz']);
  status = 404;
  expect(await serviceProblem(base)).toBeNull();
  status = 503;
  expect(await serviceProblem(base)).toBe('responds with 503');
  await new Promise((resolve) => server.close(resolve));
  expect(await serviceProblem(base)).toBe('does not respond');
});
