import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inParallel } from '@site/contract/in-parallel';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import { gatewayJwksUrl, startForms, startGateway } from './harness/service-pair.ts';
import { call, newGuest, writes, type Answer } from './harness/visitor-calls.ts';

const adminToken = createToken();

/** The status of a request, or null without a response. */
type Outcome = { id: string; status: number | null };

/** Keeps `count` concurrent requests of different visitors until there are no more responses. */
async function load(
  count: number,
  send: (id: string) => Promise<Answer>,
  onAnswer: (total: number) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (;;) {
      const id = randomUUID();
      const status = await send(id).then(
        (answer) => answer.status,
        () => null,
      );
      outcomes.push({ id, status });
      if (status !== 201) return;
      onAnswer(outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  return outcomes;
}

// Both services share the shutdown code, so one is enough for the embedded database.
describe('stopped with SIGTERM under load', () => {
  test.each([
    ['gateway', 'PostgreSQL'],
    ['forms', 'PostgreSQL'],
    ['gateway', 'PGlite'],
  ] as const)(
    'the %s service on %s responds to all accepted requests: a write happened exactly if it was acknowledged',
    async (name, kind) => {
      const folder = await mkdtemp(join(tmpdir(), 'site-stopped-'));
      const postgres = await newPostgresDatabase();
      const serviceEnv = (of: string): Record<string, string> => ({
        ADMIN_TOKEN: adminToken,
        ...(kind === 'PGlite' && of === name
          ? { DATA_DIR: join(folder, of) }
          : { DATABASE_URL: postgres.url }),
      });
      const gateway = await startGateway(serviceEnv('gateway'));
      const guest = await newGuest(gateway.url);
      const start = () =>
        name === 'gateway'
          ? startGateway(serviceEnv(name))
          : startForms(serviceEnv(name), gatewayJwksUrl(gateway));
      const service = name === 'gateway' ? gateway : await start();
      const send = (id: string) =>
        name === 'gateway'
          ? writes.createGuest(service.url, id)
          : writes.subscribe(service.url, guest, `${id}@example.com`);

      let ended: ReturnType<typeof service.end> | undefined;
      const outcomes = await load(24, send, (total) => {
        if (total >= 200) ended ??= service.end('SIGTERM');
      });
      expect(await ended).toEqual({ code: 0, errors: '' });

      const again = await start();
      const stored = (id: string) => call('GET', `${again.url}/admin/visitors/${id}`, { token: adminToken });
      const subscribed = ((await stored(guest.id)).attributes['subscriptions'] ?? []) as { email: string }[];
      const emails = new Set(subscribed.map(({ email }) => email));
      const isStored = async (id: string) =>
        name === 'forms' ? emails.has(`${id}@example.com`) : (await stored(id)).status === 200;
      const wrong = await inParallel(8, outcomes, async ({ id, status }) =>
        (await isStored(id)) === (status === 201) ? [] : [status],
      );
      expect(wrong.flat()).toEqual([]);
      // Some were in flight at the signal: they were completed, or rejected for a retry.
      const statuses = new Set(outcomes.map(({ status }) => status));
      expect([...statuses].filter((status) => ![201, 503, null].includes(status))).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(200);

      await again.end('SIGTERM');
      if (service !== gateway) await gateway.end('SIGTERM');
      await postgres.drop();
      await rm(folder, { recursive: true, force: true });
    },
  );
});
