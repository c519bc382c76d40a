import { createHmac } from 'node:crypto';
import type { AuditAnswer } from '@site/contract';
import type { AlertHookMade, AlertHookRemoved, AlertHooks } from '@site/contract/registry-calls/alert.calls';
import type { Overview } from '@site/contract/registry-calls/view.calls';
import type { Database } from '@site/server/open-database';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createRegistryApp } from '../create-registry-app.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@site/server/durations';
import { startAlertReceiver, type AlertReceiver } from '../testing/alert-receiver.ts';
import { createHarness, siteConfig, registryTables, testAuditKey, type Harness } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';
import { waitFor } from '@site/server/testing/wait-for';

const SECOND_MS = 1_000;
const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

let registry: Harness;
let receiver: AlertReceiver;

async function make(database: Database): Promise<{ stop(): Promise<void> }> {
  registry = await createHarness(database);
  receiver = await startAlertReceiver();
  return {
    async stop() {
      await receiver.stop();
      await registry.stop();
    },
  };
}

function pass(ms: number): void {
  registry.clock.now = new Date(registry.clock.now.getTime() + ms);
}

async function add(more: object = {}, headers: Record<string, string> = {}): Promise<AlertHookMade> {
  const sent = { body: { url: `${receiver.url}/hook/secret-path`, ...more }, headers };
  const { status, body } = await registry.send<AlertHookMade>('POST', '/v1/alert-hooks', sent);
  expect(status).toBe(201);
  return body;
}

const list = async () => (await registry.send<AlertHooks>('GET', '/v1/alert-hooks')).body;
const remove = (id: string) =>
  registry.send<AlertHookRemoved>('POST', `/v1/alert-hooks/${id}/removals`, { body: { reason: 'a test' } });
const errorCode = ({ body }: { body: unknown }) => (body as { errors: { code: string }[] }).errors[0]?.code;
/** Pending alerts of a hook: `alert_0` and so on. */
async function insertAlerts(hook: string, count: number): Promise<void> {
  const alert = { kind: 'store', state: 'began', channel: null, subject: 'store', text: 'a test' };
  const rows = Array.from({ length: count }, (_, index) => ({
    hook,
    id: `alert_${index}`,
    alert: JSON.stringify(alert),
    at: registry.clock.now,
  }));
  await registryTables(registry).insertInto('alerts').values(rows).execute();
}

const texts = () => receiver.received.map(({ body }) => body.data?.['text'] ?? body.text);
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);

const report = (release: string | null) =>
  registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: { channel: 'production', release } });

async function fallSilent(): Promise<void> {
  await registry.look();
  await report(null);
  pass(30 * SECOND_MS);
  await registry.look();
}

/** A canary of mfe-blocks with faults that the live version does not have. */
async function badCanary(contents: number): Promise<void> {
  await registry.publish(blocks(contents));
  await registry.activate({ 'mfe-blocks': blocks(contents).version }, { share: 10 });
  await registry.look();
  const fault = { kind: 'error', app: 'mfe-blocks', route: '/blocks', count: 150 } as const;
  await testEdge(registry).tell(
    [
      makeCell({
        app: 'mfe-blocks',
        version: blocks(contents).version,
        role: 'canary',
        views: 200,
        faults: 150,
      }),
      makeCell({ app: 'mfe-blocks', version: blocks(1).version, views: 1800 }),
    ],
    {
      faults: [
        {
          ...fault,
          version: blocks(contents).version,
          message: '<!channel> @here [x](https://evil.example) evil.com',
        },
      ],
    },
  );
}

describe.each(databases)('on $name', ({ start }) => {
  forEachTest(make, start);

  test('an alert is retried until it is delivered, and blocks later ones', async () => {
    await add();
    receiver.manners = [500, 'close', 200];
    await fallSilent();
    await report(null);
    await registry.look();
    expect(receiver.received).toHaveLength(1);
    expect((await list()).hooks).toMatchObject([
      { waiting: 2, failing: { problem: 'It answered 500.', times: 1 } },
    ]);
    // Retried after 1 s, 2 s, 4 s …
    pass(SECOND_MS);
    await registry.look();
    pass(SECOND_MS);
    await registry.look();
    expect(receiver.received).toHaveLength(2);
    pass(SECOND_MS);
    await registry.look();
    expect(texts()).toEqual([
      ...Array<unknown>(3).fill(texts()[0]),
      expect.stringMatching(/^Over: The edge edge-1/),
    ]);
    expect(new Set(ids()).size).toBe(2);
    expect((await list()).hooks).toMatchObject([{ waiting: 0, failing: null }]);
  });
});

describe('alerts', () => {
  forEachTest(make);

  test('are signed as Standard Webhooks, with the secret that was shown', async () => {
    const { secret } = await add();
    await fallSilent();
    const [first] = receiver.received;
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = first?.headers ?? {};
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const key = Buffer.from((secret ?? '').slice(6), 'base64');
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${first?.text}`)
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(Number(at)).toBe(Math.floor(registry.clock.now.getTime() / 1000));
    expect(first?.body).toMatchObject({
      type: 'alert.edge',
      timestamp: registry.clock.now.toISOString(),
      data: { state: 'began', channel: 'production', subject: 'edge-1' },
    });
  });

  test('of the guard state its action and reason, as plain text for chats', async () => {
    await add();
    await add({ format: 'chat', kinds: ['acted'] });
    await add({ kinds: ['suggested'] });
    await registry.startSite();
    await badCanary(2);
    await registry.look();
    await registry.look();
    expect(receiver.received).toHaveLength(2);
    const json = receiver.received.find(({ body }) => body.type === 'alert.acted');
    const chat = receiver.received.find(({ body }) => body.type === undefined);
    expect(json?.body.data).toMatchObject({
      state: 'happened',
      channel: 'production',
      subject: `mfe-blocks@${blocks(2).version}`,
      text: expect.stringMatching(
        /^mfe-blocks@.* on production \(r2\): The guard rolled it back, for \/blocks failed.*published by .*\. Nothing is left to do\.$/,
      ) as string,
    });
    expect(Object.keys(chat?.body ?? {})).toEqual(['text']);
    expect(chat?.body.text).toContain('‹!channel› @ here [x] ((link) evil. com');
    expect(chat?.headers['webhook-id']).toBe(json?.headers['webhook-id']);
  });

  test("of a person's rollback state who rolled back, who had published, and that nothing is left to do", async () => {
    await registry.startSite();
    await add({ kinds: ['rollback'] });
    await registry.publish(blocks(2), { as: 'blocks' });
    await registry.activate({ 'mfe-blocks': blocks(2).version });
    await registry.rollBack({
      app: 'mfe-blocks',
      from: blocks(2).version,
      reason: 'wrong promise',
      dryRun: true,
    });
    await registry.rollBack({ app: 'mfe-blocks', from: blocks(2).version, reason: 'wrong promise' });
    await registry.publish(blocks(3), { as: 'blocks' });
    await registry.activate({ 'mfe-blocks': blocks(3).version }, { share: 10 });
    await registry.rollBack({ app: 'mfe-blocks', from: blocks(3).version, reason: 'broken' });
    await registry.look();
    const end = 'It was published by ci-blocks. It is quarantined; nothing is left to do.';
    expect(texts()).toEqual([
      `mfe-blocks@${blocks(2).version} on production: olivia rolled it back to ${blocks(1).version}, for "wrong promise". ${end}`,
      `mfe-blocks@${blocks(3).version} on production: olivia ended its canary, for "broken". ${end}`,
    ]);
  });

  test('report a suggestion of the guard once', async () => {
    await add();
    await registry.startSite();
    const body = { mode: 'suggest', reason: 'a test' };
    await registry.send('POST', '/v1/channels/production/guard', { body });
    await badCanary(2);
    await registry.look();
    await registry.look();
    expect(receiver.received.map(({ body: { type } }) => type)).toEqual(['alert.suggested']);
  });

  test.each<[string, number]>([
    ['90', 90],
    ['Thu, 01 Jan 2026 12:02:00 GMT', 90],
    // At most an hour, and at least the regular delay.
    ['999999999999999999999999', 3_600],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 3_600],
    ['0', 1],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 1],
    // Invalid values are ignored.
    ['-90', 1],
    ['in a while', 1],
    ['2026-01-01T12:02:00Z', 1],
  ])('wait if a receiver sends "Retry-After: %s": %d s', async (retryAfter, seconds) => {
    await add();
    receiver.manners = [{ status: 429, retryAfter }, 200];
    await fallSilent();
    expect(receiver.received).toHaveLength(1);
    // Other alerts come after this one.
    pass((seconds - 1) * SECOND_MS);
    await report(null);
    await registry.look();
    expect(receiver.received).toHaveLength(1);
    pass(SECOND_MS);
    await registry.look();
    expect(ids()[1]).toBe(ids()[0]);
  });

  test('do not follow redirects', async () => {
    await add();
    receiver.manners = [302];
    await fallSilent();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/secret-path']);
    expect((await list()).hooks[0]?.failing?.problem).toBe('It answered 302: redirects are not followed.');
  });

  test('reach other receivers while one does not respond', async () => {
    await add();
    await add({ format: 'chat' });
    receiver.manners = ['hang', 200];
    const late = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    try {
      const silence = fallSilent();
      await waitFor(async () => {
        expect(receiver.received).toHaveLength(2);
        expect((await list()).hooks.map(({ waiting }) => waiting)).toContain(0);
      });
      late.abort();
      await silence;
      expect(receiver.received).toHaveLength(2);
      expect(timeout).toHaveBeenCalledWith(5_000);
    } finally {
      timeout.mockRestore();
    }
    expect((await list()).hooks.map(({ failing }) => failing?.problem ?? null).sort()).toEqual([
      'It did not answer within 5 s.',
      null,
    ]);
  });

  test('go to a slow receiver for five seconds at a time, interrupted by checks for new problems', async () => {
    const { id } = await add();
    await insertAlerts(id, 5);
    receiver.onArrival = () => Promise.resolve(pass(3 * SECOND_MS));
    await registry.look();
    expect(ids()).toEqual(['alert_0', 'alert_1']);
    await registry.look();
    expect(ids()).toEqual(['alert_0', 'alert_1', 'alert_2', 'alert_3']);
  });

  test('go to a fast receiver fifty at a time', async () => {
    const { id } = await add();
    await insertAlerts(id, 60);
    await registry.look();
    expect(ids()).toHaveLength(50);
    await registry.look();
    expect(ids()).toHaveLength(60);
  });

  test('are not sent to a removed hook, not even pending ones', async () => {
    const { id } = await add();
    receiver.manners = [500];
    await fallSilent();
    expect((await remove(id)).body).toMatchObject({ id, waiting: 1 });
    pass(DAY_MS);
    await registry.look();
    expect(receiver.received).toHaveLength(1);
    expect(errorCode(await remove(id))).toBe('alert_hook_unknown');
  });

  test('that cannot be delivered are dropped after three days, or beyond the newest thousand', async () => {
    const { id } = await add();
    receiver.manners = [500];
    await insertAlerts(id, 1_200);
    await registry.look();
    expect((await list()).hooks).toMatchObject([{ waiting: 1_000, dropped: 200 }]);
    expect(ids()).toEqual(['alert_200']);
    pass(3 * DAY_MS + SECOND_MS);
    await registry.look();
    expect((await list()).hooks).toMatchObject([{ waiting: 0, dropped: 1_200 }]);
  });

  test('that fail are shown as needing attention until they succeed, even if all pending ones were dropped', async () => {
    const { id } = await add();
    await add({ kinds: ['quota'] });
    const needs = async () =>
      (await registry.send<Overview>('GET', '/v1/channels/staging/overview', { as: 'read' })).body.needs;
    receiver.manners = [500];
    await insertAlerts(id, 1);
    expect(await needs()).toEqual([]);
    const since = registry.clock.now.toISOString();
    await registry.look();
    const says =
      '1 of 2 receivers of alerts failed to receive the last alert: "npx @site/cli alert list" says why.';
    expect(await needs()).toMatchObject([{ kind: 'trouble', app: null, since, says }]);
    pass(3 * DAY_MS + SECOND_MS);
    await registry.look();
    expect(await needs()).toMatchObject([{ kind: 'trouble', says }]);
    receiver.manners = [200];
    await insertAlerts(id, 1);
    await registry.look();
    expect(await needs()).toEqual([]);
  });

  test('are sent by one registry at a time; another one takes over when it ends', async () => {
    await add();
    let lookOfOther = () => Promise.resolve();
    const other = await createRegistryApp({
      database: registry.database,
      store: registry.store,
      composer: registry.composer,
      auditKey: testAuditKey,
      now: () => registry.clock.now,
      lookAgain(look) {
        // The second poller is for the alerts.
        lookOfOther = look;
        return () => Promise.resolve();
      },
    });
    await lookOfOther();
    await report(null);
    pass(30 * SECOND_MS);
    receiver.onArrival = () => registry.look();
    await lookOfOther();
    expect(receiver.received).toHaveLength(1);

    receiver.onArrival = () => Promise.resolve();
    await report(null);
    await registry.look();
    expect(receiver.received).toHaveLength(1);
    await other.close();
    await registry.look();
    expect(texts()[1]).toMatch(/^Over:/);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('problems are reported when they begin and when they end', () => {
  forEachTest(make);

  async function sentAlerts(times: number): Promise<unknown[]> {
    for (let look = 0; look < times; look += 1) {
      await registry.look();
      pass(2 * SECOND_MS);
    }
    return receiver.received
      .splice(0)
      .map(({ body }) => [body.type, body.data?.['state'], body.data?.['text']]);
  }

  test('an edge that is outdated for half a minute', async () => {
    await add();
    await registry.startSite();
    const told: unknown[] = [];
    for (let look = 0; look < 20; look += 1) {
      await report(null);
      told.push(...(await sentAlerts(1)));
    }
    expect(told).toEqual([
      ['alert.edge', 'began', 'The edge edge-1 on production serves nothing instead of r1.'],
    ]);
    expect((await list()).troubles).toMatchObject([{ kind: 'edge', subject: 'edge-1' }]);
    await report('r1');
    expect(await sentAlerts(3)).toMatchObject([['alert.edge', 'ended', expect.stringMatching(/^Over: /)]]);
    expect((await list()).troubles).toEqual([]);
  });

  test('an edge that does not serve the canary for half a minute', async () => {
    await add();
    await registry.startSite();
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': blocks(2).version }, { share: 10 });
    const told: unknown[] = [];
    for (let look = 0; look < 20; look += 1) {
      await report('r1');
      told.push(...(await sentAlerts(1)));
    }
    expect(told).toEqual([
      ['alert.edge', 'began', 'The edge edge-1 on production serves r1 instead of r1 and r2.'],
    ]);
  });

  test('no edge that is silent only during a restart', async () => {
    await add();
    await registry.startSite();
    await report('r1');
    // Silent after 15 s; reported after 30 s.
    expect(await sentAlerts(14)).toEqual([]);
    await report('r1');
    expect(await sentAlerts(14)).toEqual([]);
  });

  test('no edge of a registry that was down itself, until the edge has had time to report again', async () => {
    await add();
    await report(null);
    pass(DAY_MS / 2);
    expect(await sentAlerts(10)).toEqual([]);
    await report(null);
    expect(await sentAlerts(14)).toEqual([]);
    expect(await sentAlerts(5)).toMatchObject([
      ['alert.edge', 'began', expect.stringContaining('has been silent')],
    ]);
    pass(DAY_MS / 2);
    // Reported problems persist in the meantime.
    expect(await sentAlerts(10)).toEqual([]);
  });

  describe('an edge that has been silent for days, however often others report', () => {
    const reportOther = () =>
      registry.send('PUT', '/v1/edges/edge-2', { body: { channel: 'production', release: null } });

    beforeEach(async () => {
      await add();
      await fallSilent();
      expect(receiver.received.splice(0)).toHaveLength(1);
      for (let day = 0; day < 3; day += 1) {
        pass(DAY_MS);
        await reportOther();
        await registry.look();
      }
      // It may still serve the removed version.
      expect(receiver.received).toEqual([]);
      expect((await list()).troubles).toMatchObject([{ kind: 'edge', subject: 'edge-1' }]);
    });

    test.each<[string, () => Promise<{ status: number }>]>([
      ['it reports again', () => report(null)],
      ['it leaves', () => registry.send('DELETE', '/v1/edges/edge-1', { as: 'edge' })],
      [
        'a person forgets it',
        () => registry.send('POST', '/v1/edges/edge-1/removals', { body: { reason: 'burnt down' } }),
      ],
    ])('ends when %s', async (_what, act) => {
      expect((await act()).status).toBeLessThan(300);
      await registry.look();
      expect(texts()).toEqual([expect.stringMatching(/^Over: The edge edge-1/)]);
      expect((await list()).troubles).toEqual([]);
    });
  });

  test('a wrong clock of an edge and of the registry, each once, and nothing else', async () => {
    const ahead = (minutes: number) =>
      registry.send('PUT', '/v1/edges/edge-1', {
        as: 'edge',
        body: {
          channel: 'production',
          release: null,
          clock: registry.clock.now.getTime() + minutes * MINUTE_MS,
        },
      });
    await add();
    registry.clockSkewMs = -40 * SECOND_MS;
    for (let seconds = 0; seconds <= 40; seconds += 10) {
      await ahead(5);
      await registry.look();
      pass(10 * SECOND_MS);
    }
    await waitFor(() => expect(texts()).toHaveLength(2));
    expect(texts()).toEqual([
      "The clock of the edge edge-1 is 5 min ahead of the database's: synchronize it, for example with NTP.",
      expect.stringMatching(/^The clock of the registry on .* is 40 s behind the database's/),
    ]);
    const { body } = await registry.send('GET', '/v1/channels/production');
    expect(body.edges).toMatchObject([{ id: 'edge-1', clockSkewMs: 5 * MINUTE_MS }]);
    const { body: metrics } = await registry.app.inject('/metrics');
    expect(metrics).toMatch(/site_registry_clock_skew_seconds\{of="edges",[^}]*\} 300\n/);
    registry.clockSkewMs = 0;
    await ahead(0);
    await registry.look();
    await waitFor(() =>
      expect(texts().slice(2)).toEqual([
        expect.stringMatching(/^Over: The clock of/),
        expect.stringMatching(/^Over: The clock of/),
      ]),
    );
  });

  test.each([-5, 5])(
    "a step of the database's clock by %i min invents and delays no alert",
    async (minutes) => {
      await add();
      const round = async (withEdge: boolean) => {
        if (withEdge) await report(null);
        await registry.look();
        pass(5 * SECOND_MS);
      };
      for (let rounds = 0; rounds < 3; rounds += 1) await round(true);
      pass(minutes * MINUTE_MS);
      await registry.look();
      for (let rounds = 0; rounds < 8; rounds += 1) await round(true);
      expect(texts()).toEqual([]);
      for (let rounds = 0; rounds < 8; rounds += 1) await round(false);
      await waitFor(() => expect(texts()).toEqual([expect.stringContaining('has been silent since')]));
    },
  );

  test('a composer that does not work, but not one that is restarting', async () => {
    await add();
    registry.composer.problem = () => 'The composer does not work.';
    expect(await sentAlerts(5)).toEqual([]);
    registry.composer.problem = () => null;
    await sentAlerts(1);
    registry.composer.problem = () => 'The composer does not work.';
    expect(await sentAlerts(15)).toEqual([]);
    expect(await sentAlerts(5)).toEqual([['alert.composer', 'began', 'The composer does not work.']]);
    // A registry that has just started, or was down, does not know the state yet.
    pass(60 * SECOND_MS);
    registry.composer.problem = () => null;
    expect(await sentAlerts(14)).toEqual([]);
    expect(await sentAlerts(3)).toEqual([['alert.composer', 'ended', 'Over: The composer does not work.']]);
  });

  test('a service of the live configuration that does not respond', async () => {
    await add();
    await registry.startSite();
    const forms = 'http://localhost:8082/';
    registry.failingServices.set(forms, 'does not respond');
    expect(await sentAlerts(13)).toEqual([]);
    const says = `The forms service at ${forms} does not respond.`;
    expect(await sentAlerts(9)).toEqual([['alert.service', 'began', says]]);
    registry.failingServices.delete(forms);
    expect(await sentAlerts(6)).toEqual([['alert.service', 'ended', `Over: ${says}`]]);
  });

  test('an artifact store that cannot be read', async () => {
    await add();
    await registry.startSite();
    const { blobSize } = registry.store;
    const logged = jest.spyOn(registry.app.log, 'error');
    const error = new Error('no disk');
    registry.store.blobSize = () => Promise.reject(error);
    expect(await sentAlerts(25)).toEqual([
      ['alert.store', 'began', 'The artifact store cannot be read; the log of the registry says why.'],
    ]);
    expect(logged).toHaveBeenCalledWith({ err: error }, 'the artifact store cannot be read');
    registry.store.blobSize = blobSize;
    expect(await sentAlerts(10)).toMatchObject([['alert.store', 'ended', expect.anything()]]);
  });

  test('a nearly exhausted quota, and a certificate that expires soon', async () => {
    await add();
    await registry.startSite();
    await registryTables(registry)
      .updateTable('app_usage')
      .set({ versions: 1_599 })
      .where('app', '=', 'mfe-blocks')
      .execute();
    registry.certificateEnds = new Date(registry.clock.now.getTime() + 14 * DAY_MS + MINUTE_MS);
    expect(await sentAlerts(3)).toEqual([]);
    await registryTables(registry)
      .updateTable('app_usage')
      .set({ versions: 1_600 })
      .where('app', '=', 'mfe-blocks')
      .execute();
    pass(HOUR_MS);
    expect(await sentAlerts(3)).toMatchObject([
      [
        'alert.quota',
        'began',
        expect.stringMatching(/^mfe-blocks uses 80 % of what it may keep \(1600 versions\)/),
      ],
      ...['8080', '8081', '8082'].map((port) => [
        'alert.certificate',
        'began',
        expect.stringContaining(
          `The certificate of http://localhost:${port} ends at 2026-01-15 12:01`,
        ) as string,
      ]),
    ]);
    // A temporary connection failure is not another certificate.
    registry.certificateEnds = null;
    pass(HOUR_MS);
    expect(await sentAlerts(3)).toEqual([]);
    expect((await list()).troubles).toHaveLength(4);
    registry.certificateEnds = new Date(registry.clock.now.getTime() + 90 * DAY_MS);
    pass(HOUR_MS);
    const ended = ['alert.certificate', 'ended', expect.anything()];
    expect(await sentAlerts(3)).toMatchObject([ended, ended, ended]);
  });
});

describe('a token that expires soon', () => {
  forEachTest(make);

  test('is reported 14 days before, unless it was made for a shorter time', async () => {
    await add();
    for (const [name, expiresInDays] of [
      ['ci', 30],
      ['visitor', 10],
    ] as const)
      await registry.send('POST', '/v1/tokens', { body: { name, scopes: ['read'], expiresInDays } });
    pass(15 * DAY_MS);
    await registry.look();
    await registry.look();
    expect(texts()).toEqual([]);
    pass(2 * DAY_MS);
    await registry.look();
    await registry.look();
    expect(texts()).toEqual([
      'The token ci expires at 2026-01-31 12:00:00 UTC: make another one with "npx @site/cli token create".',
    ]);
  });

  test('is reported again a day before', async () => {
    await add();
    await registry.send('POST', '/v1/tokens', { body: { name: 'ci', scopes: ['read'], expiresInDays: 10 } });
    pass(8 * DAY_MS);
    await registry.look();
    await registry.look();
    expect(texts()).toEqual([]);
    pass(DAY_MS);
    await registry.look();
    await registry.look();
    expect(texts()).toEqual([expect.stringMatching(/^The token ci expires at 2026-01-11 12:00:00 UTC/)]);
  });

  test("is named as the cause of an edge's silence once it has expired", async () => {
    await add();
    const { body } = await registry.send<{ token: string }>('POST', '/v1/tokens', {
      body: { name: 'edge-9', scopes: ['edge:edge-9'], expiresInDays: 1 },
    });
    const reported = await registry.app.inject({
      method: 'PUT',
      url: '/v1/edges/edge-9',
      headers: { authorization: `Bearer ${body.token}` },
      payload: { channel: 'production', release: null },
    });
    expect(reported.statusCode).toBe(200);
    pass(DAY_MS);
    await registry.look();
    pass(30 * SECOND_MS);
    await registry.look();
    expect(texts()).toContainEqual(
      expect.stringMatching(/edge-9 .* silent since .*: its token expired at 2026-01-02 12:00:00 UTC\./),
    );
  });
});

describe('a copy of the database with another artifact store', () => {
  forEachTest(make);

  test("sends nothing to the original's receivers until it is confirmed", async () => {
    await add();
    const verify = () => registry.send('POST', '/v1/verifications', { body: {} });
    await verify();
    const { records } = registry.store;
    for (const name of await records.names()) await records.delete(name);
    await verify();
    await fallSilent();
    await registry.look();
    expect(texts()).toEqual([]);

    const recovered = await registry.send('POST', '/v1/recoveries', { body: { reason: 'a test copy' } });
    expect(recovered.body).toMatchObject({ changed: true, diverged: [] });
    await report(null);
    await registry.look();
    await registry.look();
    expect(texts()).toContainEqual(expect.stringMatching(/^Over: The edge edge-1/));
    expect(texts()).not.toContainEqual(expect.stringMatching(/^The edge edge-1/));
  });
});

describe('security.txt', () => {
  forEachTest(make);
  test('that expires within 30 days is reported until a new release renews it', async () => {
    await add();
    const shell = shellManifest({ rootFiles: { 'security.txt': 'chunk.js' } });
    for (const manifest of [shell, blocks(1)]) await registry.publish(manifest);
    const apps = { shell: shell.version, 'mfe-blocks': blocks(1).version };
    await registry.activate(apps, { config: siteConfig });
    const told = async () => {
      await registry.look();
      await registry.look();
      return receiver.received.splice(0).map(({ body }) => [body.type, body.data?.['text']]);
    };
    pass(334 * DAY_MS);
    expect(await told()).toEqual([]);
    pass(2 * DAY_MS);
    const text =
      'http://localhost:8080/.well-known/security.txt expires at 2027-01-01 12:00:00 UTC: any new release renews it.';
    expect(await told()).toEqual([['alert.certificate', text]]);
    const { needs } = (
      await registry.send<Overview>('GET', '/v1/channels/production/overview', { as: 'read' })
    ).body;
    expect(needs.map(({ says }) => says)).toContain(text);
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': blocks(2).version });
    expect(await told()).toEqual([['alert.certificate', `Over: ${text}`]]);
  });
});

describe('formats', () => {
  forEachTest(make);

  test('of chat tools and PagerDuty are accepted by them, and free of mentions and markup', async () => {
    const sent: Record<string, object> = {};
    for (const format of ['slack', 'teams', 'discord', 'pagerduty']) {
      const { id } = await add({ format, url: `${receiver.url}/v2?routing_key=the-routing-key` });
      await registryTables(registry)
        .insertInto('alerts')
        .values({
          hook: id,
          id: 'alert_1',
          alert: JSON.stringify({
            kind: 'store',
            state: 'began',
            channel: null,
            subject: 'store',
            text: `<!channel> @everyone [x](https://evil.example) ${'x'.repeat(3_000)}`,
          }),
          at: registry.clock.now,
        })
        .execute();
      await registry.look();
      sent[format] = receiver.received.splice(0)[0]?.body ?? {};
    }
    const plain = expect.stringMatching(/^‹!channel› @ everyone \[x\] \(https/) as string;
    expect(sent).toEqual({
      slack: { text: plain },
      teams: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.2',
              body: [{ type: 'TextBlock', text: plain, wrap: true }],
            },
          },
        ],
      },
      discord: { content: plain, allowed_mentions: { parse: [] } },
      pagerduty: {
        routing_key: 'the-routing-key',
        event_action: 'trigger',
        dedup_key: 'store store',
        payload: {
          summary: expect.stringMatching(/^<!channel>/) as string,
          source: 'store',
          severity: 'error',
          timestamp: registry.clock.now.toISOString(),
          component: 'store',
          custom_details: { channel: null },
        },
      },
    });
    expect((sent['discord'] as { content: string }).content).toHaveLength(2_000);
    expect((sent['pagerduty'] as { payload: { summary: string } }).payload.summary).toHaveLength(1_024);
  });

  test.each([
    ['https://hooks.slack.com/services/T0/B0/secret', 'slack'],
    ['https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x', 'teams'],
    ['https://1.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1', 'teams'],
    ['https://discord.com/api/webhooks/1/secret', 'discord'],
    ['https://events.eu.pagerduty.com/v2/enqueue?routing_key=0123', 'pagerduty'],
    ['https://notslack.com/hook', 'json'],
  ])('%s gets %s by default', async (url, format) => {
    expect((await add({ url })).format).toBe(format);
  });

  test("a refusal is shown in the receiver's own words, short, in one line, and without parts of the address", async () => {
    const { id } = await add();
    const problem = async (answer: string) => {
      receiver.manners = [{ status: 400, answer }];
      const { body } = await registry.send<{ problem: string }>('POST', `/v1/alert-hooks/${id}/tests`, {
        body: {},
      });
      return body.problem;
    };
    expect(await problem('{"message": "Cannot send an empty message",\n "code": 50006}')).toMatch(
      /^It answered 400: \{"message": "Cannot send an empty message", ?.*"code": 50006\}\.$/,
    );
    expect(await problem('no such hook: secret-path.')).toBe('It answered 400: no such hook: ….');
    expect(await problem('y'.repeat(100_000))).toBe(`It answered 400: ${'y'.repeat(200)}.`);
    expect(await problem('<html>Bad Request</html>')).toBe('It answered 400.');
  });

  test('PagerDuty without a routing key is refused with the address to use', async () => {
    const { status, body } = await registry.send('POST', '/v1/alert-hooks', {
      body: { url: 'https://events.pagerduty.com/v2/enqueue' },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [{ source: { pointer: '/url' }, detail: expect.stringContaining('?routing_key=') as string }],
    });
  });
});

describe('hooks', () => {
  forEachTest(make);

  test('are added once per key; the secret is in no stored response, and neither address nor secret is in the audit log', async () => {
    const key = { 'idempotency-key': 'one' };
    const first = await add({}, key);
    const again = await add({}, key);
    expect(again.id).toBe(first.id);
    expect(again.secret).toBe(first.secret);
    expect((await list()).hooks).toMatchObject([{ id: first.id, to: `${receiver.url}/…`, by: 'olivia' }]);
    const db = registryTables(registry);
    const kept = JSON.stringify([
      await db.selectFrom('idempotency_keys').selectAll().execute(),
      (await registry.send<AuditAnswer>('GET', '/v1/audit', { as: 'read' })).body.events,
      await list(),
    ]);
    expect(kept).toContain('alert-hook.added');
    for (const secret of ['secret-path', 'whsec_']) expect(kept).not.toContain(secret);
    const dry = await registry.send<AlertHookMade>('POST', '/v1/alert-hooks', {
      body: { url: receiver.url, dryRun: true },
    });
    expect(dry.body.secret).toBeNull();
    expect((await list()).hooks).toHaveLength(1);
    await registry.send('POST', `/v1/alert-hooks/${first.id}/removals`, { body: { reason: 'moved' } });
    const retry = await registry.send('POST', '/v1/alert-hooks', {
      body: { url: `${receiver.url}/hook/secret-path` },
      headers: key,
    });
    expect([retry.status, retry.body]).toMatchObject([404, { errors: [{ code: 'alert_hook_unknown' }] }]);
  });

  test('are for ops only, and at most twenty', async () => {
    const body = { url: receiver.url };
    for (const as of ['read', 'blocks', 'activator', 'edge'] as const) {
      expect((await registry.send('POST', '/v1/alert-hooks', { as, body })).status).toBe(403);
      expect((await registry.send('GET', '/v1/alert-hooks', { as })).status).toBe(403);
      expect((await registry.send('POST', '/v1/alert-hooks/x/tests', { as, body: {} })).status).toBe(403);
    }
    for (let count = 0; count < 20; count += 1) await add();
    expect(errorCode(await registry.send('POST', '/v1/alert-hooks', { body }))).toBe('alert_hooks_full');
  });

  test.each([
    'http://example.com/x',
    'http://10.0.0.1/',
    'http://localhost.example.com/',
    'http://127.0.0.1@example.com/',
    'https://user:password@example.com/',
    'https://example.com/#part',
    'ftp://localhost/',
    'file:///etc/passwd',
    'example.com',
  ])('are not allowed at %s', async (url) => {
    const answer = await registry.send('POST', '/v1/alert-hooks', { body: { url } });
    expect(errorCode(answer)).toBe('body_invalid');
    expect(JSON.stringify(answer.body)).not.toContain('example.com/');
  });

  test('report whether a test arrives, even if others are pending', async () => {
    const { id } = await add();
    receiver.manners = [500];
    await fallSilent();
    const tryIt = async () =>
      (await registry.send<{ problem: string | null }>('POST', `/v1/alert-hooks/${id}/tests`, { body: {} }))
        .body;
    expect(await tryIt()).toMatchObject({ problem: 'It answered 500.' });
    receiver.manners = [204];
    expect(await tryIt()).toMatchObject({ id, to: `${receiver.url}/…`, problem: null });
    expect(receiver.received.at(-1)?.body.type).toBe('alert.test');
    expect(errorCode(await registry.send('POST', '/v1/alert-hooks/none/tests', { body: {} }))).toBe(
      'alert_hook_unknown',
    );
  });
});
