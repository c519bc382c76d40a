import { openTransport } from '@site/forms/outbox/transport';
import { mailPage } from './mail-pages.ts';
import { startMailSink, type MailSink } from './mail-sink.ts';

let sink: MailSink;
beforeEach(async () => {
  sink = await startMailSink();
});
afterEach(() => sink.close());

const page = (path: string) => mailPage(sink, path);

async function send(subject: string, html: string): Promise<void> {
  const transport = openTransport(sink.smtpUrl);
  await transport.sendMail({
    from: 'hello@example.com',
    to: 'ada@example.com',
    subject,
    text: 'Hello',
    html,
  });
}

test('an email is listed, and its HTML may run no script and load nothing', async () => {
  await send(
    'Wool & <b>bold</b>',
    '<html><head><style>p { color: red }</style></head><body><p>Hi</p></body></html>',
  );
  expect(page('/mail')?.body).toContain('<a href="/mail/1">Wool &amp; &lt;b&gt;bold&lt;/b&gt;</a>');
  expect(page('/mail/1')?.body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  const { headers, body } = page('/mail/1/html')!;
  expect(body).toContain('<p>Hi</p>');
  const policy = headers['Content-Security-Policy'];
  expect(policy).toMatch(/script-src 'none'.*style-src-elem 'sha256-[^']+'.*sandbox allow-popups/);
  expect(policy).not.toContain('unsafe-');
});

test('an email of more than 200 KB is refused', async () => {
  await expect(send('Large', 'x'.repeat(300_000))).rejects.toMatchObject({ responseCode: 552 });
  expect(sink.emails()).toEqual([]);
});

test('the newest 100 emails are kept', async () => {
  for (let number = 1; number <= 101; number += 1) await send(`Email ${number}`, '<p>Hi</p>');
  expect(sink.emails()).toHaveLength(100);
  expect(page('/mail/101')?.body).toContain('Email 101');
  expect(page('/mail/1')).toBeUndefined();
});
