import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import * as v from 'valibot';
import {
  PREVIEW_ALGORITHM,
  PREVIEW_AUDIENCE,
  PreviewClaimsSchema,
  PreviewKeysSchema,
  PreviewMadeSchema,
  PreviewSchema,
  ReleaseDocumentSchema,
  type PreviewMade,
} from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, tablesOf, type Harness } from './testing/harness.ts';
import { remoteManifest, shellManifest } from './testing/manifests.ts';

const registry = forEachTest(createHarness);
// Each test sets up a whole registry, also on a busy machine.
jest.setTimeout(60_000);

type As = Parameters<Harness['send']>[2] extends { as?: infer Name } | undefined ? Name : never;
const code = ({ body }: { body: object }) => (body as { errors?: { code: string }[] }).errors?.[0]?.code;
const detail = ({ body }: { body: object }) =>
  (body as { errors?: { detail: string }[] }).errors?.[0]?.detail;
const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const dev = 'http://localhost:3002';

const preview = (body: object, as: NonNullable<As> = 'ops', headers: Record<string, string> = {}) =>
  registry.send('POST', '/v1/previews', { as, body: { app: 'mfe-blocks', ...body }, headers });
const made = ({ body }: { body: object }): PreviewMade & { token: string } => {
  const answer = v.parse(PreviewMadeSchema, body);
  return { ...answer, token: answer.token ?? '' };
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
  test('is signed with a published key and says what it shows, and for how long', async () => {
    await startSiteWithNext();
    const answer = await preview({ version: next.version, expiresInMinutes: 30 }, 'blocks');
    expect(answer.status).toBe(201);
    const { id, url, token, expiresAt, rendered } = made(answer);
    expect(url).toBe(`http://localhost:8080/_preview?token=${token}`);
    expect(rendered).toBe(2);
    expect(expiresAt).toBe('2026-01-01T12:30:00.000Z');

    const keys = await read('preview-keys');
    expect(JSON.stringify(keys.body)).not.toContain('"d"');
    const jwks = v.parse(PreviewKeysSchema, keys.body) as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      audience: PREVIEW_AUDIENCE,
      algorithms: [PREVIEW_ALGORITHM],
      currentDate: registry.clock.now,
    });
    expect(protectedHeader.kid).toBe(jwks.keys[0]?.kid);
    expect(v.parse(PreviewClaimsSchema, payload)).toEqual({
      aud: 'preview',
      jti: id,
      iat: Date.parse('2026-01-01T12:00:00Z') / 1000,
      exp: Date.parse('2026-01-01T12:30:00Z') / 1000,
      channel: 'production',
      app: 'mfe-blocks',
      version: next.version,
    });
  });

  test('with another signature is not one of this registry', async () => {
    await startSiteWithNext();
    const { token } = made(await preview({ version: next.version }));
    const jwks = (await read('preview-keys')).body as unknown as JSONWebKeySet;
    const [head = '', claims = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), app: 'shell' })).toString('base64url');
    const swapped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const bad of [`${head}.${forged}.${signature}`, `${head}.${claims}.${swapped}`]) {
      await expect(jwtVerify(bad, createLocalJWKSet(jwks))).rejects.toThrow();
    }
  });

  test('shows the live set with just that version, whatever else goes live meanwhile', async () => {
    const { shell, blocks, partners } = await startSiteWithNext();
    const { id } = made(await preview({ version: next.version }));
    const document = async () => v.parse(ReleaseDocumentSchema, (await read(`previews/${id}/document`)).body);
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

  test('of a page that does not render is refused with its name', async () => {
    await startSiteWithNext();
    registry.composer.broken.add('/blocks');
    const answer = await preview({ version: next.version });
    expect([answer.status, code(answer)]).toEqual([422, 'page_not_rendered']);
    expect(await tablesOf(registry).selectFrom('previews').select('id').execute()).toEqual([]);
  });

  test("of a developer's machine shows the live release as it is", async () => {
    await startSiteWithNext();
    const { id, token, rendered } = made(await preview({ dev }));
    expect(rendered).toBe(0);
    expect(decodeJwt(token)).toMatchObject({ app: 'mfe-blocks', dev });
    expect(decodeJwt(token)).not.toHaveProperty('version');
    const document = await read(`previews/${id}/document`);
    expect(document.body).toEqual((await read('releases/r1/document')).body);
  });

  test('repeated with the same key is the same link', async () => {
    await startSiteWithNext();
    const headers = { 'idempotency-key': 'one' };
    const first = await preview({ version: next.version }, 'ops', headers);
    const second = await preview({ version: next.version }, 'ops', headers);
    expect(second.body).toEqual(first.body);
    expect(await tablesOf(registry).selectFrom('previews').select('id').execute()).toHaveLength(1);
  });

  test('in a dry run is checked and rendered, and not made', async () => {
    await startSiteWithNext();
    const answer = await preview({ version: next.version, dryRun: true });
    expect(answer.body).toMatchObject({ dryRun: true, url: null, token: null, rendered: 2 });
    expect((await read(`previews/${made(answer).id}`)).status).toBe(404);
  });
});

describe('a preview link is refused', () => {
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

  test('for a version that does not exist, an app that is not live, and before the first release', async () => {
    expect(code(await preview({ dev }))).toBe('release_incomplete');
    await registry.startSite();
    expect(code(await preview({ version: next.version }))).toBe('version_unknown');
    expect(code(await preview({ app: 'mfe-cases', dev }))).toBe('app_unknown');
  });

  test('to whoever may neither publish nor activate that app', async () => {
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

describe('a preview is over', () => {
  const isOver = async (id: string, why: string) => {
    for (const path of [`previews/${id}`, `previews/${id}/document`]) {
      const answer = await read(path);
      expect([path, answer.status, code(answer)]).toEqual([path, 410, 'preview_over']);
      expect(detail(answer)).toContain(why);
    }
  };

  test('when it has expired', async () => {
    await startSiteWithNext();
    const { id } = made(await preview({ version: next.version, expiresInMinutes: 5 }));
    minutesLater(4);
    expect(v.parse(PreviewSchema, (await read(`previews/${id}`)).body)).toMatchObject({
      stable: 'r1',
      by: 'olivia',
    });
    minutesLater(1);
    await isOver(id, 'expired at 2026-01-01 12:05:00 UTC');
  });

  test('when it was revoked, by its team or by ops, and only by them', async () => {
    await startSiteWithNext();
    const { id } = made(await preview({ version: next.version }));
    const revoke = (as: NonNullable<As>, body: object = { reason: 'shared too widely' }) =>
      registry.send('POST', `/v1/previews/${id}/revocations`, { as, body });
    expect((await revoke('read')).status).toBe(403);
    expect((await revoke('blocks', { reason: 'a try', dryRun: true })).body).toMatchObject({
      changed: true,
      dryRun: true,
    });
    expect((await read(`previews/${id}`)).status).toBe(200);
    expect((await revoke('blocks')).body).toMatchObject({ id, changed: true });
    await isOver(id, 'was revoked');
    expect((await revoke('ops')).body).toMatchObject({ changed: false });
  });

  test('when the API token that made it was revoked, and when that has expired', async () => {
    await startSiteWithNext();
    const one = made(await preview({ version: next.version }, 'blocks')).id;
    const other = made(await preview({ version: next.version }, 'activator')).id;
    const tokens = tablesOf(registry).updateTable('tokens');
    await tokens.set({ revoked_at: registry.clock.now }).where('name', '=', 'ci-blocks').execute();
    await isOver(one, 'token that made it');
    expect((await read(`previews/${other}`)).status).toBe(200);
    await tokens.set({ expires_at: registry.clock.now }).where('name', '=', 'ben').execute();
    await isOver(other, 'token that made it');
  });

  test('or was never made', async () => {
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

  test('its keys and documents are for edges: a publish token does not get them', async () => {
    await startSiteWithNext();
    const { id } = made(await preview({ version: next.version }, 'blocks'));
    for (const path of ['preview-keys', `previews/${id}`, `previews/${id}/document`]) {
      expect((await registry.send('GET', `/v1/${path}`, { as: 'blocks' })).status).toBe(403);
    }
  });
});

test('the signing key changes every 90 days; the old one is published as long as its links can be followed', async () => {
  await startSiteWithNext();
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const kids = async () =>
    v.parse(PreviewKeysSchema, (await read('preview-keys')).body).keys.map((key) => key['kid']);
  const day = 24 * 60;
  const first = kidOf(made(await preview({ dev })).token);
  minutesLater(89 * day);
  expect(kidOf(made(await preview({ dev, expiresInMinutes: 10_080 })).token)).toBe(first);
  minutesLater(2 * day);
  const second = kidOf(made(await preview({ dev })).token);
  expect(second).not.toBe(first);
  expect(await kids()).toEqual([second, first]);
  minutesLater(8 * day);
  expect(await kids()).toEqual([second]);
});

test('several links made at the same moment share one key', async () => {
  await startSiteWithNext();
  await Promise.all([preview({ dev }), preview({ dev }), preview({ dev })]);
  expect(await tablesOf(registry).selectFrom('signing_keys').select('kid').execute()).toHaveLength(1);
});
