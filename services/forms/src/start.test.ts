import { createServer, type AddressInfo, type Socket } from 'node:net';
import { startDatabase } from '@site/server/testing/each-database';
import { createApp } from './app.ts';
import { formsDefaults } from './config.ts';
import { formsMigrations } from './migrations.ts';
import { createParts } from './parts.ts';
import { startForms } from './start.ts';
import { newsletterEntry } from './testing/newsletter-entry.ts';
import { nextEvent } from '@site/server/testing/wait-for';

test('accepts nothing after it is stopped, however long a mail server delays it', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await nextEvent(silent, 'listening');
  const config = {
    jwksUrl: 'http://127.0.0.1:1/',
    mail: {
      smtpUrl: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      from: 'Blocks <hello@blocks.example>',
    },
  };
  const { database, stop } = await startDatabase();
  await database.migrate('forms', formsMigrations);
  const app = await createApp(createParts({ ...formsDefaults, ...config }, { database }));
  await app.inject({ method: 'POST', url: '/subscriptions', payload: newsletterEntry('ada@example.com') });
  await app.close();

  const connected = nextEvent(silent, 'connection') as Promise<[Socket]>;
  const forms = await startForms({ port: 0, host: '127.0.0.1', database, config });
  const [mail] = await connected;
  const closed = forms.close();
  try {
    const answer = await fetch(`${forms.url}/healthz`).then(
      ({ status }) => status,
      () => 'refused',
    );
    expect([503, 'refused']).toContain(answer);
  } finally {
    mail.destroy();
    await closed;
    silent.close();
    await stop();
  }
});
