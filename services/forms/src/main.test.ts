import { randomUUID } from 'node:crypto';
import { formSources, GUEST_ROLE } from '@site/contract';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import { runService, runToEnd } from '@site/server/testing/run-service';

const main = 'services/forms/src/main.ts';

test('does not start without the URL of the keys, and names the variable', async () => {
  expect(await runToEnd(main, {})).toEqual({
    code: 1,
    errors: 'The configuration is invalid.\n  JWKS_URL is missing: set it before you start the process.\n',
  });
});

test('works with a real gateway, and survives a restart of the gateway', async () => {
  const { url, drop } = await newPostgresDatabase();
  const gateway = await runService('services/gateway/src/main.ts', { DATABASE_URL: url });
  const forms = await runService(main, {
    DATABASE_URL: url,
    JWKS_URL: `${gateway.url}/.well-known/jwks.json`,
  });
  const post = async (url: string, body: object, token?: string | null) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });

  const id = randomUUID();
  const guest = await post(`${gateway.url}/guests`, { unique_id: id, user_unique_id: id });
  const token = guest.headers.get('company-token');
  const identity = await post(
    `${forms.url}/identities/${id}/register`,
    { unique_id: id, role_name: GUEST_ROLE.name, role_unique_id: GUEST_ROLE.unique_id },
    token,
  );
  expect([guest.status, identity.status]).toEqual([201, 201]);

  // The keys are cached: the forms service works without the gateway.
  await gateway.end('SIGTERM');
  const subscription = await post(
    `${forms.url}/subscriptions`,
    {
      email: 'ada@example.com',
      source_id: formSources.newsletter,
      form_fields: 'ada@example.com',
      visitor_unique_id: id,
      visitor_type: 'guest',
    },
    token,
  );
  expect(subscription.status).toBe(201);
  expect(await forms.end('SIGTERM')).toEqual({ code: 0, errors: '' });
  await drop();
});
