import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDatabase } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { blocks, createSiteHarness, blocksVersion } from '../testing/site-harness.ts';
import { nextEvent } from '@site/server/testing/wait-for';

const harness = forEachTest(createSiteHarness);

describe('token', () => {
  test('create prints only the token on standard output, once, and it works', async () => {
    await harness.registry.startSite();
    const { code, out, err } = await harness.site(
      ...['token', 'create', 'blocks pipeline', '--scope', 'publish:mfe-blocks', 'activate:mfe-blocks'],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^site_[\w-]{43}\n$/);
    expect(err).toContain(
      '"blocks pipeline" may publish:mfe-blocks, activate:mfe-blocks until it is revoked',
    );
    expect(err).not.toContain(out.trim());

    await harness.registry.publish(blocks(2));
    const env = { SITE_TOKEN: out.trim() };
    expect((await harness.siteWith(env, 'activate', blocksVersion(2))).code).toBe(0);
    expect((await harness.siteWith(env, 'freeze', '--reason', 'mine')).err).toContain('(scope_missing)');
    for (const command of [['token', 'list'], ['audit']]) {
      expect(JSON.stringify(await harness.siteJson(...command))).not.toContain(out.trim());
    }
  });

  test('revoke ends it immediately', async () => {
    const made = await harness.siteJson<{ id: string; token: string }>(
      ...['token', 'create', 'edge-2', '--scope', 'read', '--expires-in-days', '90'],
    );
    expect((await harness.site('token', 'list')).out).toMatch(
      /edge-2 +read +2026-01-01 12:00:00 UTC +2026-04-01/,
    );
    const revoked = await harness.site('token', 'revoke', made.id, '--reason', 'machine is gone');
    expect(revoked.out).toBe(`the token ${made.id} is revoked\n`);
    const { code, err } = await harness.siteWith({ SITE_TOKEN: made.token }, 'status');
    expect(code).toBe(1);
    expect(err).toMatch(/"edge-2" was revoked/);
    expect((await harness.site('token', 'list')).out).toMatch(/edge-2 .* revoked 2026-01-01/);
  });

  test('create with --dry-run makes none', async () => {
    const { code, out } = await harness.site('token', 'create', 'trial', '--scope', 'ops', '--dry-run');
    expect(code).toBe(0);
    expect(out).toBe('dry run: no token was made; "trial" may ops until it is revoked\n');
    expect((await harness.site('token', 'list')).out).not.toContain('trial');
  });

  test.each([
    [
      ['token', 'create', 'ci', '--scope', 'read', 'opps'],
      /'--scope <scope\.\.\.>' argument 'opps' is invalid\. A scope is "ops"/,
    ],
    [
      ['audit', '--since', 'yesterday'],
      /'--since <time>' argument 'yesterday' is invalid\..*"2026-01-31T12:00:00Z"/,
    ],
    [['audit', '--app', 'blocks'], /'--app <app>' argument 'blocks' is invalid\./],
    [['search', ' '], /argument 'text'\. Enter a search text\./],
  ])('%j is a wrong command line, and the problem is named', async (args, message) => {
    const { code, err } = await harness.site(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test('create for an unpublished app warns without touching standard output', async () => {
    await harness.registry.startSite();
    const scopes = ['publish:mfe-block', 'activate:mfe-block', 'activate:mfe-blocks'];
    const { code, out, err } = await harness.site('token', 'create', 'trial', '--scope', ...scopes);
    expect(code).toBe(0);
    expect(out).toMatch(/^site_[\w-]{43}\n$/);
    expect(err.match(/^warning: .*/gm)).toEqual([
      'warning: "mfe-block" is not registered; the registered apps are: mfe-blocks, mfe-partners, shell.',
    ]);
  });
});

describe('preview', () => {
  test('prints only the link on standard output, and how to revoke it', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const { code, out, err } = await harness.site('preview', blocksVersion(2), '--minutes', '60');
    expect(code).toBe(0);
    expect(out).toMatch(/^http:\/\/localhost:8080\/_preview\?id=[\w-]{43}\n$/);
    expect(err).toContain(blocksVersion(2));
    expect(err).toContain('until 2026-01-01 13:00:00 UTC');
    const id = /--revoke (\S+)/.exec(err)?.[1] ?? '';
    expect((await harness.site('preview', '--revoke', id)).out).toBe(
      `the link ${id} is revoked: edges reject it within a second\n`,
    );
    expect((await harness.site('preview', '--revoke', id)).out).toBe(
      `nothing to do: the link ${id} was already revoked at 2026-01-01 12:00:00 UTC\n`,
    );
  });

  test("shows a developer's own machine and no other", async () => {
    await harness.registry.startSite();
    const own = await harness.site('preview', 'mfe-blocks', '--dev', 'http://localhost:3001/');
    expect(own.err).toContain('mfe-blocks from http://localhost:3001');
    const foreign = await harness.site('preview', 'mfe-blocks', '--dev', 'https://example.com');
    expect(foreign.code).toBe(2);
    expect(foreign.err).toContain('http://localhost:3002');
  });

  test('explains a missing dev server', async () => {
    await harness.registry.startSite();
    let opened: string | null = null;
    let routes = [{ remote: 'mfe-partners', path: '/partners' }];
    const server = createServer((_request, response) => response.end(JSON.stringify({ routes })));
    server.listen({ host: 'localhost', port: 0 });
    await nextEvent(server, 'listening');
    const dev = `http://localhost:${(server.address() as AddressInfo).port}`;
    const hint = async () => {
      const { code, out, err } = await harness.site('preview', 'mfe-blocks', '--dev', dev);
      expect([code, out]).toEqual([0, expect.stringContaining('/_preview?id=')]);
      opened = new URL(out.trim()).searchParams.get('path');
      return err.split('\n').find((line) => line.startsWith('hint: '));
    };
    expect(await hint()).toBe(`hint: the dev server at ${dev} serves mfe-partners, but not mfe-blocks.`);
    routes = [...routes, { remote: 'mfe-blocks', path: '/blocks/new' }];
    expect(await hint()).toBeUndefined();
    // The app is not live: the link leads to its first page there.
    expect(opened).toBe('/blocks/new');
    server.close();
    server.closeAllConnections();
    await nextEvent(server, 'close');
    expect(await hint()).toMatch(new RegExp(`^hint: no dev server responds at ${dev}`));
  });

  test('needs either an app or a link to revoke', async () => {
    expect(await harness.site('preview')).toMatchObject({ code: 2, out: '' });
    expect(await harness.site('preview', 'mfe-blocks', '--revoke', 'x')).toMatchObject({ code: 2, out: '' });
  });

  test('--dry-run makes no link', async () => {
    await harness.registry.startSite();
    const { code, out } = await harness.site('preview', blocksVersion(1), '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^dry run: no link was made/);
  });
});

describe('verify', () => {
  test('reports intact data', async () => {
    await harness.registry.startSite();
    const { code, out } = await harness.site('verify');
    expect(code).toBe(0);
    expect(out).toMatch(/files +\d+ checked, 0 missing, 0 damaged/);
    expect(out).toMatch(/audit log +\d+ entries, the hash chain is intact/);
  });

  test('fails and names a missing file', async () => {
    const { blocks: live } = await harness.registry.startSite();
    await harness.registry.store.delete(live.server.integrity);
    const { code, out, err } = await harness.site('verify');
    expect(code).toBe(1);
    expect(out).toContain(`${live.server.integrity} of mfe-blocks@${live.version}`);
    expect(err).toContain('(verification_failed)');
    const { out: json } = await harness.site('verify', '--json');
    expect(JSON.parse(json)).toMatchObject({ artifacts: { missing: [{}] } });
  });
});

test('gc lists what it would delete, and deletes it', async () => {
  await harness.registry.startSite();
  await harness.registry.publish(blocks(2));
  await harness.registry.publish(blocks(3));
  await harness.site('activate', blocksVersion(3));
  // Long after the uploads.
  harness.registry.clock.now = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000);
  const dry = await harness.site('gc', '--keep', '2', '--days', '1', '--dry-run');
  expect(dry.out).toMatch(/^dry run: nothing was deleted; this would be: [1-9]\d* files/);
  expect(dry.out).toContain(
    `could not be activated until published again (files less than a day old are deleted in a later run):\n  mfe-blocks@${blocks(2).version}\n`,
  );
  const done = await harness.site('gc', '--keep', '2', '--days', '1');
  expect(done.out).toMatch(/^deleted [1-9]\d* files \(.*\); [1-9]\d* stay\n/);
  expect((await harness.site('verify')).code).toBe(0);
  expect((await harness.site('activate', blocksVersion(2))).err).toContain('(version_collected)');
});

test('gc names versions that become unusable although none of their files is old enough to delete', async () => {
  await harness.registry.startSite();
  for (const contents of [2, 3]) await harness.registry.publish(blocks(contents));
  await harness.site('activate', blocksVersion(3));
  harness.registry.clock.now = new Date(Date.now() + 60_000);
  const { out } = await harness.site('gc', '--keep', '1', '--days', '0');
  expect(out).toMatch(
    /^deleted 0 files .*\ncannot be activated until published again \(files .* in a later run\):\n/,
  );
  expect(out).toContain(`\n  mfe-blocks@${blocks(2).version}\n`);
});

describe('backup and restore', () => {
  test('restore everything into an empty registry', async () => {
    await harness.registry.startSite();
    await harness.site('freeze', '--reason', 'launch day');
    const file = join(harness.root, 'backup.tar');
    const kept = await harness.site('backup', file);
    expect({ code: kept.code, err: kept.err }).toEqual({ code: 0, err: '' });
    expect(kept.out).toContain(`npx @site/cli restore ${file}`);
    const bytes = await readFile(file);

    // A separate database: the first registry keeps running and would anchor the restored audit log.
    const { database, stop } = await startDatabase();
    const empty = await createSiteHarness(database);
    try {
      const copy = join(empty.root, 'backup.tar');
      await writeFile(copy, bytes);
      const dry = await empty.site('restore', copy, '--dry-run');
      expect(dry.out).toMatch(/^dry run: nothing was changed; it can be restored: .*: \d+ files, \d+ rows\n/);
      const restored = await empty.site('restore', copy);
      expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' });
      expect(restored.out).toMatch(/restored .*backup\.tar of 2026-.*: \d+ files, \d+ rows/);
      for (const { out } of [dry, restored]) {
        expect(out).toMatch(
          /\nState as of 2026-.* UTC: tokens 5, trusts 0, previews 0, freezes 1, quarantines 0\nLater revocations, .* are lost\. Repeat them: /,
        );
      }
      const status = await empty.site('status');
      expect(status.out).toContain('r1 has been live on production');
      expect(status.out).toContain('everything has been frozen');
      expect((await empty.site('verify')).code).toBe(0);
    } finally {
      await empty.stop();
      await stop();
    }
  });

  test('a backup overwrites nothing, and a failed one leaves nothing behind', async () => {
    const file = join(harness.root, 'backup.tar');
    await writeFile(file, 'of yesterday');
    const second = await harness.site('backup', file);
    expect(second.code).toBe(1);
    expect(second.err).toContain('(file_exists)');
    expect(await readFile(file, 'utf8')).toBe('of yesterday');

    const before = await readdir(harness.root);
    const env = { SITE_TOKEN: harness.registry.tokens.blocks };
    const refused = await harness.siteWith(env, 'backup', join(harness.root, 'other.tar'));
    expect(refused.err).toContain('(scope_missing)');
    expect(await readdir(harness.root)).toEqual(before);
  });

  test('a registry in use rejects a restore', async () => {
    await harness.registry.startSite();
    const file = join(harness.root, 'backup.tar');
    await harness.site('backup', file);
    const { code, err } = await harness.site('restore', file);
    expect(code).toBe(1);
    expect(err).toContain('(registry_not_empty)');
  });

  test('a missing file is named', async () => {
    const { code, err } = await harness.site('restore', join(harness.root, 'none.tar'));
    expect(code).toBe(1);
    expect(err).toMatch(/none\.tar" cannot be read \(no such file or folder\).*\(file_unusable\)/);
  });
});
