import { startSmtp, type TestSmtp } from '../testing/start-smtp.ts';
import { openTransport } from './transport.ts';

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.close());

test.each([
  ['a file', { path: import.meta.filename }],
  ['an address', { href: 'http://127.0.0.1:1/' }],
])('does not read %s into an email', async (_what, text) => {
  const mail = { from: 'hello@blocks.example', to: 'ada@example.com', text };
  await expect(openTransport(smtp.url).sendMail(mail)).rejects.toThrow(/access rejected/);
  expect(smtp.mails).toEqual([]);
});
