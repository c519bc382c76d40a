import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '@site/server/open-database';
import { createHarness, type Harness } from '@site/registry/testing/harness';
import { filesOf, remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import type { RemoteManifest, ShellManifest } from '@site/contract';
import { runSite } from './run-site.ts';

/** The command line against a real registry, in a folder that looks like a repository with three built apps. */
let database: Database;
let registry: Harness;
let root: string;
let url: string;
let stopEdge: () => Promise<void>;
beforeAll(async () => {
  database = await openDatabase({ memory: true });
}, 30_000);
afterAll(() => database.close());
beforeEach(async () => {
  stopEdge = () => Promise.resolve();
  registry = await createHarness(database);
  url = await registry.app.listen({ port: 0, host: '127.0.0.1' });
  root = await mkdtemp(join(tmpdir(), 'site-cli-'));
  await mkdir(join(root, '.data'));
  await writeFile(
    join(root, '.data/running.json'),
    JSON.stringify({ registry: url, site: 'http://localhost:8080' }),
  );
  await writeFile(
    join(root, '.data/tokens.json'),
    JSON.stringify({ ops: registry.tokens.ops, read: registry.tokens.read }),
  );
  for (const app of ['mfe-blocks', 'mfe-partners', 'shell']) await mkdir(join(root, app));
});
afterEach(async () => {
  await stopEdge();
  await registry.stop();
  await rm(root, { recursive: true });
});

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

/** Writes what `npm run build` would. */
async function writeBuild(manifest: RemoteManifest | ShellManifest): Promise<void> {
  const dist = join(root, manifest.app, 'dist');
  const [entry, chunk, server] = filesOf(manifest) as [Buffer, Buffer, Buffer];
  await mkdir(join(dist, 'browser'), { recursive: true });
  await mkdir(join(dist, 'server'), { recursive: true });
  await writeFile(join(dist, 'browser', manifest.entry), entry);
  await writeFile(join(dist, 'browser/chunk.js'), chunk);
  await writeFile(join(dist, 'server/server.js'), server);
  await writeFile(join(dist, 'version.json'), JSON.stringify(manifest));
}

async function site(...args: string[]) {
  return siteWith({}, ...args);
}

async function siteWith(env: Record<string, string>, ...args: string[]) {
  const written = { out: '', err: '' };
  const code = await runSite(args, {
    root,
    env,
    io: {
      out: (text) => void (written.out += text),
      err: (text) => void (written.err += text),
      isTerminal: false,
    },
  });
  return { code, ...written };
}

/** An edge that follows the registry and says so. */
async function startEdge(): Promise<void> {
  const report = async () => {
    const { body } = await registry.send('GET', '/v1/channels/production', { as: 'read' });
    const heartbeat = { channel: 'production', release: body.state.stable };
    await registry.send('PUT', '/v1/edges/edge-1', { as: 'read', body: heartbeat });
  };
  await report();
  stopEdge = await database.listen('registry_channel_changed', () => void report());
}

describe('publish', () => {
  test('uploads what the registry lacks, registers the version and says what is new and what to do next', async () => {
    await registry.startSite();
    const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/forms'], contents: 2 });
    await writeBuild(next);
    const { code, out, err } = await site('publish', 'mfe-blocks', '--no-build');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`published mfe-blocks@${next.version}`);
    expect(out).toMatch(/files +3, of which 2 \(/);
    expect(out).toMatch(/against live +1 assets added, 1 removed, 1 unchanged/);
    expect(out).toMatch(/page +\+ \/blocks\/forms/);
    expect(out).toMatch(/page +- \/blocks\/auth/);
    expect(out).toContain(`npx site activate mfe-blocks@${next.version}`);
  });

  test('a second time uploads nothing and says so', async () => {
    await writeBuild(blocks(2));
    await site('publish', 'mfe-blocks', '--no-build');
    const { code, out } = await site('publish', 'mfe-blocks', '--no-build', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ created: false, live: null, uploaded: { files: 0, bytes: 0 } });
  });

  test('an unknown app is refused with the apps that there are', async () => {
    const { code, out, err } = await site('publish', 'mfe-block');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('There is no app "mfe-block"');
    expect(err).toContain('shell, mfe-blocks, mfe-partners');
  });

  test('an app that was not built is refused with the command that builds it', async () => {
    const { code, err } = await site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain('npm run build -w mfe-blocks');
  });

  test('a file that was changed after the build is refused by name, and nothing is published', async () => {
    await writeBuild(blocks(2));
    await writeFile(join(root, 'mfe-blocks/dist/browser/chunk.js'), 'changed');
    const { code, err } = await site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toContain('"chunk.js" was changed after the build');
    expect((await registry.send('GET', '/v1/apps/mfe-blocks/versions')).status).toBe(404);
  });

  test('a version.json that is broken is refused with the field', async () => {
    await writeBuild(blocks(2));
    await writeFile(
      join(root, 'mfe-blocks/dist/version.json'),
      JSON.stringify({ ...blocks(2), version: 'latest' }),
    );
    const { code, err } = await site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toMatch(/version\.json: version: A version id is/);
  });

  test('the build of another app in its place is refused', async () => {
    await writeBuild(blocks(2));
    const manifest = await readFile(join(root, 'mfe-blocks/dist/version.json'), 'utf8');
    await mkdir(join(root, 'mfe-partners/dist'), { recursive: true });
    await writeFile(join(root, 'mfe-partners/dist/version.json'), manifest);
    const { err } = await site('publish', 'mfe-partners', '--no-build');
    expect(err).toContain('version.json is that of "mfe-blocks"');
  });

  test('a path of another remote is refused as the registry says it', async () => {
    await registry.startSite();
    await writeBuild(remoteManifest('mfe-blocks', { paths: ['/partners'], contents: 2 }));
    const { code, err } = await site('publish', 'mfe-blocks', '--no-build');
    expect(code).toBe(1);
    expect(err).toMatch(/mfe-blocks wants the path "\/partners", which mfe-partners answers.*\(path_taken\)/);
  });

  test('an app that does not build is refused with what the build said', async () => {
    await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, workspaces: ['mfe-*'] }));
    await writeFile(
      join(root, 'mfe-blocks/package.json'),
      JSON.stringify({
        name: 'mfe-blocks',
        version: '1.0.0',
        scripts: { build: 'echo TS2322: wrong type; exit 1' },
      }),
    );
    const { code, err } = await site('publish', 'mfe-blocks');
    expect(code).toBe(1);
    expect(err).toContain('building mfe-blocks');
    expect(err).toMatch(/does not build; nothing was published[^]*TS2322: wrong type/);
  }, 20_000);

  test('tells that a version was rolled back before', async () => {
    await registry.startSite();
    await writeBuild(blocks(2));
    await site('publish', 'mfe-blocks', '--no-build');
    await site('activate', 'mfe-blocks', '--no-wait');
    await site('rollback', 'mfe-blocks', '--reason', 'it blinks', '--no-wait');
    const { out } = await site('publish', 'mfe-blocks', '--no-build');
    expect(out).toContain('quarantined by olivia: "it blinks"');
  });
});

describe('activate and rollback', () => {
  test('make the newest version live and put it back, waiting until the edge serves each', async () => {
    const { blocks: first } = await registry.startSite();
    await registry.publish(blocks(2));
    await startEdge();

    const activated = await site('activate', 'mfe-blocks');
    expect({ code: activated.code, err: activated.err }).toEqual({ code: 0, err: '' });
    expect(activated.out).toContain('r2 is live on production');
    expect(activated.out).toContain(`mfe-blocks ${first.version} → ${blocks(2).version}`);
    expect(activated.out).toMatch(/pages rendered: 2/);
    expect(activated.out).toMatch(/every edge \(1\) serves it after \d+ ms/);

    const rolledBack = await site('rollback', 'mfe-blocks', '--reason', 'the form is broken');
    expect(rolledBack.code).toBe(0);
    expect(rolledBack.out).toContain(`mfe-blocks ${blocks(2).version} → ${first.version}`);
    expect(rolledBack.out).toContain('no page was rendered anew');
    expect(rolledBack.out).toContain('open tabs leave: r2');
    expect(rolledBack.out).toMatch(/every edge \(1\) serves it after \d+ ms/);
  });

  test('--json gives one document with the release, the counters and the time', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    const { out } = await site('activate', `mfe-blocks@${blocks(2).version}`, '--json', '--reason', 'news');
    expect(JSON.parse(out)).toMatchObject({
      release: { id: 'r2', reason: 'news' },
      changed: true,
      rendered: 2,
      edges: 0,
      ms: expect.any(Number) as number,
    });
  });

  test('--no-wait does not ask what the edges serve', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    const heartbeat = { channel: 'production', release: 'r1' };
    await registry.send('PUT', '/v1/edges/edge-1', { body: heartbeat });
    const { code, out } = await site('activate', 'mfe-blocks', '--no-wait');
    expect(code).toBe(0);
    expect(out).not.toContain('edge');
  });

  test('what is live already is said to be, and is no failure', async () => {
    await registry.startSite();
    const { code, out } = await site('activate', 'mfe-blocks');
    expect(code).toBe(0);
    expect(out).toContain('nothing to do: r1 is live');
  });

  test('a rolled back version is refused until it is forced', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    await site('activate', 'mfe-blocks');
    await site('rollback', 'mfe-blocks', '--reason', 'the form is broken');
    const refused = await site('activate', 'mfe-blocks');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/was quarantined by olivia.*the form is broken/);
    expect((await site('activate', 'mfe-blocks', '--force')).code).toBe(0);
  });

  test('an app that nobody published is refused with the known ones', async () => {
    await registry.startSite();
    const { code, err } = await site('activate', 'mfe-nothing');
    expect(code).toBe(1);
    expect(err).toContain('mfe-blocks, mfe-partners, shell');
  });

  test.each(['mfe-blocks@latest', 'blocks', 'mfe-blocks@1@2', ''])(
    '"%s" is refused as a version',
    async (target) => {
      const { code, err } = await site('activate', target);
      expect(code).toBe(1);
      expect(err).toContain('<app>@<version>');
    },
  );

  test('a rollback without a reason is refused before anything happens', async () => {
    await registry.startSite();
    const { code, err } = await site('rollback', 'mfe-blocks');
    expect(code).toBe(2);
    expect(err).toContain('--reason');
  });
});

describe('status and history', () => {
  test('show what is live, what could be, and which edge serves what', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    await startEdge();
    const { out } = await site('status');
    expect(out).toContain('r1 is live on production since 2026-01-01 12:00:00 UTC, by olivia: a test');
    expect(out).toMatch(new RegExp(`mfe-blocks +${blocks(1).version} +- +${blocks(2).version}`));
    expect(out).toMatch(new RegExp(`shell +${shellManifest().version} +- +is live`));
    expect(out).toMatch(/edge-1 +r1 +now/);
  });

  test('say so when there is nothing yet', async () => {
    expect((await site('status')).out).toContain('nothing is live on production yet');
    expect((await site('history')).out).toContain('no release of production yet');
  });

  test('list the releases, of all apps or of one', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    await site('activate', 'mfe-blocks', '--reason', 'new blocks');
    await site('rollback', 'mfe-blocks', '--reason', 'it blinks');
    const { out } = await site('history', 'mfe-blocks');
    expect(out.split('\n')[1]).toMatch(/^r3 .* rollback .* it blinks$/);
    expect(out.split('\n')[2]).toMatch(/^r2 revoked .* activate .* new blocks$/);
    const { out: json } = await site('history', '--json', '--limit', '1');
    expect(JSON.parse(json)).toMatchObject({ releases: [{ id: 'r3' }] });
    expect((await site('history', 'mfe-partners')).out.split('\n')).toHaveLength(3);
  });
});

describe('a registry that is not there', () => {
  test('is named, together with the command that starts it', async () => {
    const { code, out, err } = await siteWith({ SITE_REGISTRY: 'http://127.0.0.1:9' }, 'status');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/registry at http:\/\/127\.0\.0\.1:9 does not answer.*"npm start"/);
  });

  test('is told as JSON where JSON was asked for, still on the error output', async () => {
    const { out, err } = await siteWith({ SITE_REGISTRY: 'http://127.0.0.1:9' }, 'status', '--json');
    expect(out).toBe('');
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'registry_unreachable' } });
  });

  test('an address that is none is refused', async () => {
    const { code, err } = await siteWith({ SITE_REGISTRY: 'localhost' }, 'status');
    expect(code).toBe(1);
    expect(err).toContain('SITE_REGISTRY is "localhost"');
  });
});

describe('tokens', () => {
  test('SITE_TOKEN decides what is allowed, and a refusal says what is missing', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
    const { code, err } = await siteWith({ SITE_TOKEN: registry.tokens.blocks }, 'activate', 'mfe-blocks');
    expect(code).toBe(1);
    expect(err).toContain('"activate:mfe-blocks"; the token "ci-blocks" has: publish:mfe-blocks');
  });

  test('without one anywhere the refusal names SITE_TOKEN', async () => {
    const { code, err } = await siteWith({ DATA_DIR: 'elsewhere', SITE_REGISTRY: url }, 'status');
    expect(code).toBe(1);
    expect(err).toContain('SITE_TOKEN');
  });

  test('a tokens file that is broken is named', async () => {
    await writeFile(join(root, '.data/tokens.json'), '{');
    const { code, err } = await site('status');
    expect(code).toBe(1);
    expect(err).toMatch(/tokens\.json" is not what "npm start" writes/);
  });
});

test('help names every command; an unknown command is refused with where to look', async () => {
  const help = await site('--help');
  expect(help.code).toBe(0);
  for (const name of ['publish', 'activate', 'rollback', 'status', 'history'])
    expect(help.out).toContain(name);
  const unknown = await site('deploy');
  expect(unknown.code).toBe(2);
  expect(unknown.err).toContain("unknown command 'deploy'");
});
