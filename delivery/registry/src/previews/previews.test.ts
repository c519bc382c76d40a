import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  PreviewLinkIdSchema,
  PreviewMadeSchema,
  ReleaseDocumentSchema,
  type PreviewMade,
} from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

type As = Parameters<Harness['send']>[2] extends { as?: infer Name } | undefined ? Name : never;
const code = ({ body }: { body: object }) => (body as { errors?: { code: string }[] }).errors?.[0]?.code;
const detail = ({ body }: { body: object }) =>
  (body as { errors?: { detail: string }[] }).errors?.[0]?.detail;
const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const dev = 'http://localhost:3002';

const preview = (body: object, as: NonNullable<As> = 'ops', headers: Record<string, string> = {}) =>
  registry.send('POST', '/v1/previews', { as, body: { app: 'mfe-blocks', ...body }, headers });
/** With the hash that the edges query by. */
const made = ({ body }: { body: object }): PreviewMade & { hash: string } => {
  const answer = v.parse(PreviewMadeSchema, body);
  const linkId = new URL(answer.url ?? 'http://localhost').searchParams.get('id') ?? '';
  return { ...answer, hash: createHash('sha256').update(linkId).digest('hex') };
};
const read = (path: string) => registry.send('GET', `/v1/${path}`, { as: 'edge' });
const minutesLater = (minutes: number) => {
  registry.clock.now = new Date(registry.clock.now.getTime() + minutes * 60_000);
};

async function startSiteWithNext() {
  const site = await registry.startSite();
  await registry.publish(next, { query: '?live-checks=defer' });
  return site;
}

describe('a preview link', () => {
  test('is a random id without information: edges query its version and expiry by its hash', async () => {
    await startSiteWithNext();
    const answer = await preview({ version: next.version, expiresInMinutes: 30 }, 'blocks');
    expect(answer.status).toBe(201);
    const { id, url, hash, expiresAt, rendered } = made(answer);
    const link = new URL(url ?? '');
    expect(link.origin + link.pathname).toBe('http://localhost:8080/_preview');
    expect(v.is(PreviewLinkIdSchema, link.searchParams.get('id'))).toBe(true);
    expect(rendered).toBe(2);
    expect(expiresAt).toBe('2026-01-01T12:30:00.000Z');
    expect((await read(`previews/${hash}`)).body).toEqual({
      id,
      channel: 'production',
      app: 'mfe-blocks',
      version: next.version,
      dev: null,
      expiresAt,
      live: 'r1',
    });
  });

  test('is stored only as a hash, and cannot be listed', async () => {
    await startSiteWithNext();
    const { id, url, hash } = made(
      await preview({ version: next.version }, 'ops', { 'idempotency-key': 'k' }),
    );
    const linkId = new URL(url ?? '').searchParams.get('id') ?? '';
    const db = registryTables(registry);
    const kept = JSON.stringify([
      await db.selectFrom('previews').selectAll().execute(),
      await db.selectFrom('idempotency_keys').selectAll().execute(),
      await db.selectFrom('audit_events').selectAll().execute(),
    ]);
    expect(kept).toContain(hash);
    expect(kept).not.toContain(linkId);
    for (const other of [id, linkId]) {
      expect([other, (await read(`previews/${other}`)).status]).toEqual([other, 404]);
    }
  });

  test('shows the current live set with just that version replaced', async () => {
    const { shell, blocks, partners } = await startSiteWithNext();
    const { hash } = made(await preview({ version: next.version }));
    const document = async () =>
      v.parse(ReleaseDocumentSchema, (await read(`previews/${hash}/document`)).body);
    expect((await document()).release).toMatchObject({
      id: 'r1',
      apps: { shell: shell.version, 'mfe-blocks': next.version, 'mfe-partners': partners.version },
    });
    expect(Object.keys((await document()).rendered).sort()).toEqual(['/blocks', '/blocks/auth', '/partners']);
    const live = await registry.send('GET', '/v1/channels/production');
    expect(live.body.release.apps['mfe-blocks']).toBe(blocks.version);

    const newShell = shellManifest({ contents: 2 });
    await registry.publish(newShell);
    await registry.activate({ shell: newShell.version });
    const moved = await document();
    expect(moved.release).toMatchObject({
      id: 'r2',
      apps: { shell: newShell.version, 'mfe-blocks': next.version },
    });
    expect(Object.keys(moved.rendered)).toHaveLength(3);
  });

  test('of a page that does not render is rejected with its name', async () => {
    await startSiteWithNext();
    registry.composer.broken.add('/blocks');
    const answer = await preview({ version: next.version });
    expect([answer.status, code(answer)]).toEqual([422, 'page_not_rendered']);
    expect(await registryTables(registry).selectFrom('previews').select('id').execute()).toEqual([]);
  });

  test("of a developer's machine shows the live release as it is", async () => {
    await startSiteWithNext();
    const { hash, rendered } = made(await preview({ dev }));
    expect(rendered).toBe(0);
    expect((await read(`previews/${hash}`)).body).toMatchObject({ app: 'mfe-blocks', dev, version: null });
    const document = await read(`previews/${hash}/document`);
    expect(document.body).toEqual((await read('releases/r1/document')).body);
  });

  test('repeated with the same key is the same link, until the preview has ended', async () => {
    await startSiteWithNext();
    const headers = { 'idempotency-key': 'one' };
    const first = made(await preview({ version: next.version }, 'ops', headers));
    const second = made(await preview({ version: next.version }, 'ops', headers));
    expect(second).toEqual(first);
    expect((await read(`previews/${first.hash}`)).status).toBe(200);
    expect(await registryTables(registry).selectFrom('previews').select('id').execute()).toHaveLength(1);
    await registry.send('POST', `/v1/previews/${first.id}/revocations`, { body: { reason: 'seen' } });
    const ended = await preview({ version: next.version }, 'ops', headers);
    expect([ended.status, ended.body]).toMatchObject([410, { errors: [{ code: 'preview_over' }] }]);
  });

  test('in a dry run is checked and rendered, but not created', async () => {
    await startSiteWithNext();
    const answer = await preview({ version: next.version, dryRun: true });
    expect(answer.body).toMatchObject({ dryRun: true, url: null, rendered: 2 });
    expect(await registryTables(registry).selectFrom('previews').select('id').execute()).toEqual([]);
  });

  test("shows a developer's machine, even for a registered app that is not live", async () => {
    await registry.startSite();
    const paths = ['/careers/*'];
    await registry.send('POST', '/v1/apps', {
      as: 'ops',
      body: { app: 'mfe-careers', owner: 'people', paths },
    });
    const answer = await preview({ app: 'mfe-careers', dev });
    expect(answer.status).toBe(201);
    const { body } = await read(`previews/${made(answer).hash}/document`);
    expect(v.parse(ReleaseDocumentSchema, body).release.apps).not.toHaveProperty('mfe-careers');
  });
});

describe('a preview link is rejected', () => {
  test.each([
    ['http://example.com'],
    ['http://localhost.example.com'],
    ['http://127.0.0.1.example.com:3002'],
    ['http://user@localhost:3002'],
    ['http://localhost:3002/path'],
    ['http://localhost:3002/'],
    ['ftp://localhost'],
    ['javascript:alert(1)'],
    ['http://192.168.0.1:3002'],
    ['http://localhost:3002;script-src *'],
    ['http://[::1]:3002 http://evil.example'],
    ['http://0x7f.1:3002'],
  ])('for the dev origin %s', async (origin) => {
    await registry.startSite();
    const answer = await preview({ dev: origin });
    expect([answer.status, code(answer)]).toEqual([422, 'body_invalid']);
  });

  test.each(['http://localhost:3002', 'https://127.0.0.1:3002', 'http://[::1]:3002'])(
    'not for the dev origin %s',
    async (origin) => {
      await registry.startSite();
      expect((await preview({ dev: origin })).status).toBe(201);
    },
  );

  test.each<[string, object]>([
    ['a version and a dev origin at once', { version: next.version, dev }],
    ['neither', {}],
    ['a life of more than a week', { dev, expiresInMinutes: 10_081 }],
    ['a life of no minutes', { dev, expiresInMinutes: 0 }],
    ["the shell from a developer's machine", { app: 'shell', dev }],
    ['an unknown channel', { dev, channel: 'test' }],
  ])('for %s', async (_what, body) => {
    await registry.startSite();
    const answer = await preview(body);
    expect([answer.status, code(answer)]).toEqual([422, 'body_invalid']);
  });

  test('for an unknown version, an unregistered app, and before the first release', async () => {
    expect(code(await preview({ dev }))).toBe('release_incomplete');
    await registry.startSite();
    expect(code(await preview({ version: next.version }))).toBe('version_unknown');
    expect(code(await preview({ app: 'mfe-cases', dev }))).toBe('app_unknown');
  });

  test('without permission to publish or activate that app', async () => {
    const { partners } = await startSiteWithNext();
    const foreign = { app: 'mfe-partners', version: partners.version };
    const refused = [
      await preview(foreign, 'blocks'),
      await preview(foreign, 'activator'),
      await preview({ app: 'mfe-partners', dev }, 'blocks'),
      await preview({ version: next.version }, 'read'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await preview({ version: next.version }, 'activator')).status).toBe(201);
  });
});

describe('a preview ends', () => {
  const isOver = async (hash: string, why: string) => {
    for (const path of [`previews/${hash}`, `previews/${hash}/document`]) {
      const answer = await read(path);
      expect([path, answer.status, code(answer)]).toEqual([path, 410, 'preview_over']);
      expect(detail(answer)).toContain(why);
    }
  };

  test('when it expires', async () => {
    await startSiteWithNext();
    const { hash } = made(await preview({ version: next.version, expiresInMinutes: 5 }));
    minutesLater(4);
    expect((await read(`previews/${hash}`)).status).toBe(200);
    minutesLater(1);
    await isOver(hash, 'expired at 2026-01-01 12:05:00 UTC');
  });

  test('when it is revoked, only by its team or by ops', async () => {
    await startSiteWithNext();
    const { id, hash } = made(await preview({ version: next.version }));
    const revoke = (as: NonNullable<As>, body: object = { reason: 'shared too widely' }) =>
      registry.send('POST', `/v1/previews/${id}/revocations`, { as, body });
    expect((await revoke('read')).status).toBe(403);
    expect((await revoke('blocks', { reason: 'a try', dryRun: true })).body).toMatchObject({
      changed: true,
      dryRun: true,
    });
    expect((await read(`previews/${hash}`)).status).toBe(200);
    expect((await revoke('blocks')).body).toMatchObject({ id, changed: true });
    await isOver(hash, 'ended at 2026-01-01 12:00:00 UTC: "shared too widely"');
    expect((await revoke('ops')).body).toMatchObject({ changed: false });
  });

  test('when the API token that created it is revoked or expires', async () => {
    await startSiteWithNext();
    const one = made(await preview({ version: next.version }, 'blocks')).hash;
    const other = made(await preview({ version: next.version }, 'activator')).hash;
    const tokens = registryTables(registry).updateTable('tokens');
    await tokens.set({ revoked_at: registry.clock.now }).where('name', '=', 'ci-blocks').execute();
    await isOver(one, 'token that made it');
    expect((await read(`previews/${other}`)).status).toBe(200);
    await tokens.set({ expires_at: registry.clock.now }).where('name', '=', 'ben').execute();
    await isOver(other, 'token that made it');
  });

  test('or was never created', async () => {
    await registry.startSite();
    const answer = await read('previews/5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11');
    expect([answer.status, code(answer)]).toEqual([404, 'preview_unknown']);
  });

  test('a team cannot revoke the preview of another', async () => {
    const { partners } = await startSiteWithNext();
    const { id } = made(await preview({ app: 'mfe-partners', version: partners.version }));
    const answer = await registry.send('POST', `/v1/previews/${id}/revocations`, {
      as: 'blocks',
      body: { reason: 'no' },
    });
    expect(answer.status).toBe(403);
  });

  test('is for edges: no other token can look up a link', async () => {
    await startSiteWithNext();
    const { hash } = made(await preview({ version: next.version }, 'blocks'));
    for (const as of ['blocks', 'activator', 'read'] as const)
      for (const path of [`previews/${hash}`, `previews/${hash}/document`])
        expect([as, (await registry.send('GET', `/v1/${path}`, { as })).status]).toEqual([as, 403]);
  });
});

describe('a version that was found bad', () => {
  const state = async (hash: string) => {
    const answer = await read(`previews/${hash}`);
    return [answer.status, code(answer) ?? ''];
  };
  const over = [410, 'preview_over'];
  const quarantine = (body: object = {}) =>
    registry.send('POST', `/v1/apps/mfe-blocks/versions/${next.version}/quarantines`, {
      body: { reason: 'steals', ...body },
    });

  test('cannot be previewed while quarantined', async () => {
    await startSiteWithNext();
    await quarantine();
    for (const body of [{ version: next.version }, { version: next.version, dryRun: true }]) {
      const answer = await preview(body);
      expect([answer.status, code(answer)]).toEqual([409, 'version_quarantined']);
    }
    expect(await registryTables(registry).selectFrom('previews').select('id').execute()).toEqual([]);
  });

  test('is removed from existing previews by its quarantine; other previews continue', async () => {
    const { partners } = await startSiteWithNext();
    const bad = made(await preview({ version: next.version }));
    const others = [
      made(await preview({ app: 'mfe-partners', version: partners.version })),
      made(await preview({ dev })),
    ];
    await quarantine({ dryRun: true });
    expect(await state(bad.hash)).toEqual([200, '']);
    await quarantine();
    expect(await state(bad.hash)).toEqual(over);
    expect(detail(await read(`previews/${bad.hash}`))).toContain('was quarantined: steals');
    for (const { hash } of others) expect(await state(hash)).toEqual([200, '']);
    const { body } = await registry.send<{ events: { action: string; subject: string }[] }>(
      'GET',
      '/v1/audit',
    );
    expect(body.events.filter(({ action }) => action === 'preview.ended')).toMatchObject([
      { subject: bad.id },
    ]);
    // Lifting the quarantine does not restore the link.
    await registry.send('POST', `/v1/apps/mfe-blocks/versions/${next.version}/unquarantines`, {
      body: { reason: 'a mistake' },
    });
    expect(await state(bad.hash)).toEqual(over);
    expect((await preview({ version: next.version })).status).toBe(201);
  });

  test('is removed from previews after a rollback, and after a canary is aborted with quarantine', async () => {
    await startSiteWithNext();
    await registry.activate({ 'mfe-blocks': next.version });
    const live = made(await preview({ version: next.version }));
    await registry.rollBack({ app: 'mfe-blocks' });
    expect(await state(live.hash)).toEqual(over);

    const third = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    await registry.publish(third);
    const canary = made(await preview({ version: third.version }));
    await registry.activate({ 'mfe-blocks': third.version }, { share: 10 });
    await registry.send('POST', '/v1/channels/production/aborts', {
      body: { reason: 'bad', quarantine: true },
    });
    expect(await state(canary.hash)).toEqual(over);
  });

  test('is removed from previews created concurrently, in any order', async () => {
    await startSiteWithNext();
    const answers = await Promise.all([
      preview({ version: next.version }),
      preview({ version: next.version }, 'blocks'),
      quarantine(),
      preview({ version: next.version }, 'activator'),
    ]);
    for (const [index, answer] of answers.entries()) {
      if (index === 2) expect(answer.status).toBe(200);
      else if (answer.status === 201) expect(await state(made(answer).hash)).toEqual(over);
      else expect([answer.status, code(answer)]).toEqual([409, 'version_quarantined']);
    }
  });
});

test.each([
  ['frozen', 'freezes', {}],
  ['retired', 'retirements', { despiteLinks: true }],
])("an app's previews end when it is %s, also a developer's", async (_what, calls, more) => {
  await startSiteWithNext();
  const links = [made(await preview({ version: next.version })), made(await preview({ dev }))];
  const other = made(await preview({ app: 'mfe-partners', dev }));
  const body = { app: 'mfe-blocks', reason: 'hostile', ...more };
  const { status } = await registry.send('POST', `/v1/channels/production/${calls}`, { body });
  expect(status).toBeLessThan(300);
  for (const { hash } of links) expect(code(await read(`previews/${hash}`))).toBe('preview_over');
  expect(code(await read(`previews/${other.hash}`))).toBeUndefined();
});
