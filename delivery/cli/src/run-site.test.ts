import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachTest } from '@site/server/testing/for-each-test';
import { runSite } from './run-site.ts';
import { leafCommands } from './testing/leaf-commands.ts';
import { blocks, createSiteHarness, blocksVersion } from './testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

describe('an unreachable registry', () => {
  test('is named, with the command that starts it', async () => {
    const { code, out, err } = await harness.siteWith({ SITE_REGISTRY: 'http://127.0.0.1:9' }, 'status');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /registry at http:\/\/127\.0\.0\.1:9 does not respond\. Set SITE_REGISTRY .*"npm start".*DATA_DIR/,
    );
  });

  test('is reported as JSON with --json, still on standard error', async () => {
    const { out, err } = await harness.siteWith({ SITE_REGISTRY: 'http://127.0.0.1:9' }, 'status', '--json');
    expect(out).toBe('');
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'registry_unreachable' } });
  });

  test('an invalid URL is rejected', async () => {
    const { code, err } = await harness.siteWith({ SITE_REGISTRY: 'localhost' }, 'status');
    expect(code).toBe(1);
    expect(err).toContain('SITE_REGISTRY is "localhost"');
  });
});

describe('tokens', () => {
  test('SITE_TOKEN determines the permissions, and an error names the missing one', async () => {
    await harness.registry.startSite();
    await harness.registry.publish(blocks(2));
    const { code, err } = await harness.siteWith(
      { SITE_TOKEN: harness.registry.tokens.blocks },
      'activate',
      blocksVersion(2),
    );
    expect(code).toBe(1);
    expect(err).toContain('"activate:mfe-blocks"; the token "ci-blocks" has: publish:mfe-blocks');
  });

  test('without any token the error names SITE_TOKEN', async () => {
    const { code, err } = await harness.siteWith(
      { DATA_DIR: 'elsewhere', SITE_REGISTRY: harness.url },
      'status',
    );
    expect(code).toBe(1);
    expect(err).toContain('SITE_TOKEN');
  });

  test('an invalid tokens file is named', async () => {
    await writeFile(join(harness.root, '.data/tokens.json'), '{');
    const { code, err } = await harness.site('status');
    expect(code).toBe(1);
    expect(err).toMatch(/tokens\.json" was not written by "npm start"/);
  });
});

test('the help of every command has examples and --json, and --dry-run if it changes something', async () => {
  const commands = leafCommands();
  expect(commands.length).toBeGreaterThan(50);
  /** Read-only commands outside the group "Inspect:". */
  const readOnly =
    /^(check|verify|backup|pack|token (who|exchange)|alert test|\w+ (list|show|status|history|export|readers))$/;
  for (const { names, group } of commands) {
    const { code, out } = await harness.site(...names, '--help');
    const name = names.join(' ');
    expect([name, code, out.includes('--json '), /Examples?:\n {2}\$ npx @site\/cli /.test(out)]).toEqual([
      name,
      0,
      true,
      true,
    ]);
    const changes = group !== 'Inspect:' && !readOnly.test(name);
    expect([name, out.includes('--dry-run ')]).toEqual([name, changes]);
  }
});

test('an unknown command is rejected with a hint to the help', async () => {
  const unknown = await harness.site('deploy');
  expect(unknown.code).toBe(2);
  expect(unknown.err).toContain("unknown command 'deploy'");
});

test.each([
  ['an unknown option', ['status', '--all'], /unknown option '--all'/],
  ['a missing option', ['freeze'], /--reason/],
  ['a wrong value', ['gc', '--days', 'ten'], /whole number/],
  ['a missing argument', ['compare'], /missing required argument/],
])('%s is one JSON document with --json', async (_, command, message) => {
  const { code, out, err } = await harness.site(...command, '--json');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(JSON.parse(err)).toEqual({
    error: { code: 'command_line_wrong', message: expect.stringMatching(message) as string },
  });
  expect(err).not.toContain('error: ');
});

test("--version prints the package's version, and --help names DATA_DIR", async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await harness.site('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  expect((await harness.site('--help')).out).toContain('DATA_DIR');
});

test('a command stopped by Ctrl-C exits with 130', async () => {
  const context = {
    root: harness.root,
    ownApp: null,
    env: {},
    io: {
      out: () => undefined,
      file: () => undefined,
      err: () => undefined,
      draw: () => undefined,
      isTerminal: false,
    },
  };
  expect(await runSite(['status'], { ...context, signal: AbortSignal.abort() })).toBe(130);
  expect(await runSite(['status'], { ...context, signal: new AbortController().signal })).toBe(0);
});
