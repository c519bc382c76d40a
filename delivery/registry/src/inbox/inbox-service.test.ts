import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INBOX_READER_HEADER } from '@site/contract/inbox.schema';
import { createInboxService } from './inbox-service.ts';

let server: Server;
let requests: { headers: IncomingHttpHeaders; url: string | undefined }[];
let url: string;
beforeEach(async () => {
  requests = [];
  server = createServer(({ headers, url: target }, response) => {
    requests.push({ headers, url: target });
    response.end(JSON.stringify({ data: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

test.each(['Olivia', 'Jürgen Müller', 'Łukasz', 'Иван', '東京 花子', 'O’Brien 😀', '100% new\r\nx: y'])(
  'an operator with any name can read the inbox: %j',
  async (reader) => {
    const inbox = createInboxService({ url, token: 'token' });
    expect(await inbox.counts(reader)).toEqual([]);
    expect(decodeURIComponent(requests[0]?.headers[INBOX_READER_HEADER] as string)).toBe(reader);
    expect(requests[0]?.headers['x']).toBeUndefined();
  },
);

test('an id stays one segment of the path', async () => {
  const inbox = createInboxService({ url, token: 'token' });
  await expect(inbox.show('Olivia', '../inboxes?x#y')).rejects.toThrow();
  expect(requests.map((request) => request.url)).toEqual(['/admin/submissions/..%2Finboxes%3Fx%23y']);
});
