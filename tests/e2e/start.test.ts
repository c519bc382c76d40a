import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formSources, GUEST_ROLE, TOKEN_HEADER } from '@site/contract';
import { freePorts } from '@site/server/testing/free-ports';
import { repository, startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';

/** Starting, stopping and recovering the whole site on this machine. */

const pinnedNode = join(repository, 'node_modules/.bin/node');
const gatewayHeaders = { appid: 'site-gateway', 'content-type': 'application/json' };

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'site-start-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

function failedStart(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      pinnedNode,
      ['delivery/local/src/start.ts'],
      { cwd: repository, env: { ...process.env, NODE_ENV: '', ...env }, timeout: 60_000 },
      (error, _stdout, stderr) => {
        if (error) resolve({ code: Number(error.code), stderr });
        else reject(new Error('The site started.'));
      },
    );
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const sitePorts = (port: number) => [0, 1, 2, 3, 4].map((offset) => port + offset);
const openPorts = async (port: number) => {
  const open = await Promise.all(sitePorts(port).map(isListening));
  return sitePorts(port).filter((_, index) => open[index]);
};

/** Polls until nothing listens on the five ports. */
async function untilPortsAreFree(port: number): Promise<void> {
  await until(async () => expect(await openPorts(port)).toEqual([]));
}

const readPid = async ({ dataDir }: Pick<Site, 'dataDir'>) =>
  (JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as { pid: number }).pid;

interface NewGuest {
  id: string;
  token: string;
}

async function createGuest(site: Site): Promise<NewGuest> {
  const id = randomUUID();
  const response = await fetch(`${site.gateway}guests`, {
    method: 'POST',
    headers: gatewayHeaders,
    body: JSON.stringify({ unique_id: id, user_unique_id: id }),
  });
  expect(response.status).toBe(201);
  await response.arrayBuffer();
  return { id, token: response.headers.get(TOKEN_HEADER) ?? '' };
}

const authorized = ({ token }: NewGuest) => ({ ...gatewayHeaders, authorization: `Bearer ${token}` });

async function readGuest(site: Site, guest: NewGuest): Promise<{ status: number; id: string }> {
  const response = await fetch(`${site.gateway}guests/${guest.id}`, { headers: authorized(guest) });
  const document = (await response.json()) as { data: { id: string } };
  return { status: response.status, id: document.data.id };
}

/** This file's site, on the database in its data folder, and one of its guests. */
let site: Site;
let guest: NewGuest;
afterAll(() => site.kill());
async function startAgain(env: Record<string, string> = {}): Promise<void> {
  site = await startSite({ dataDir: site.dataDir, port: site.port, embedded: true, env });
}

const servers = ['gateway', 'forms', 'registry'];
/** The server of each log line. */
const stoppedServers = ({ output }: Site) =>
  [...output().matchAll(/^\{.*"name":"(\w+)"/gm)].flatMap(([, name = '']) =>
    servers.includes(name) ? [name] : [],
  );

describe('a site that is started, stopped and restarted', () => {
  let release: string;
  const liveRelease = async () =>
    ((await (await fetch(`${site.url}/__site/state`)).json()) as { release: string }).release;

  test('the first start prints the four addresses and, last, the one to open', async () => {
    site = await startSite({ embedded: true });
    const { url, gateway, forms, registry } = site;
    const lines = site.output().trimEnd().split('\n');
    for (const address of [url, gateway, forms, registry])
      expect(lines.some((line) => line.endsWith(address))).toBe(true);
    expect(lines.at(-1)).toBe(`ready: ${url}`);
    const apps = (await readdir(repository)).filter((name) => name === 'shell' || name.startsWith('mfe-'));
    expect(lines.filter((line) => line.startsWith('published ')).length).toBe(apps.length);
    release = await liveRelease();
    guest = await createGuest(site);
    // No errors, and no log lines besides the human-readable output.
    expect(stoppedServers(site)).toEqual([]);
  });

  test('no port answers a page of another site that gives this machine its own name (DNS rebinding)', async () => {
    const statusFor = async (port: number, host: string) => {
      const asked = get({ port, host: '127.0.0.1', path: '/metrics', headers: { host } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    for (const port of sitePorts(site.port)) {
      expect([port, await statusFor(port, `attacker.example:${port}`)]).toEqual([port, 421]);
      expect([port, await statusFor(port, `shop.localhost:${port}`)]).not.toEqual([port, 421]);
    }
  });

  test('SIGTERM ends it with 0, and nothing listens or runs afterwards', async () => {
    const pid = await readPid(site);
    // An open keep-alive connection must not keep the site running.
    const held = connect({ port: site.port, host: 'localhost' });
    await once(held, 'connect');
    expect(await site.stop()).toBe(0);
    held.destroy();
    expect(isRunning(pid)).toBe(false);
    expect(await openPorts(site.port)).toEqual([]);
    await expect(readFile(join(site.dataDir, 'running.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a second start without changes publishes and renders nothing, and keeps its guests', async () => {
    await startAgain({ LOG_LEVEL: 'info' });
    expect(site.output()).not.toMatch(/^(built|published|release) /m);
    expect(await liveRelease()).toBe(release);
    expect(await readGuest(site, guest)).toEqual({ status: 200, id: guest.id });
    // At least "Server listening".
    expect(new Set(stoppedServers(site))).toEqual(new Set(servers));
  });

  test('kill -9 under traffic loses no acknowledged writes', async () => {
    const acknowledged: NewGuest[] = [guest];
    let subscription = '';
    const traffic = (async () => {
      for (;;) {
        try {
          acknowledged.push(await createGuest(site));
        } catch {
          return; // the site is gone
        }
      }
    })();
    await register(guest);
    subscription = await subscribe(guest);
    await until(() => acknowledged.length >= 20);
    await site.kill();
    await traffic;

    await startAgain();
    expect(site.output()).not.toMatch(/^(built|published|release) /m);
    for (const known of acknowledged)
      expect(await readGuest(site, known)).toEqual({ status: 200, id: known.id });
    // Repeated with its key, like a browser that lost the response: returns the stored guest.
    await subscribe(guest);
    const { code, stdout } = await site.cli('visitor', 'export', guest.id);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { forms: { subscriptions: [{ id: subscription }] } },
    ]);
    expect(await liveRelease()).toBe(release);
  });

  const subscriptionKey = randomUUID();

  async function register({ id, token }: NewGuest): Promise<void> {
    const response = await fetch(`${site.forms}identities/${id}/register`, {
      method: 'POST',
      headers: authorized({ id, token }),
      body: JSON.stringify({
        unique_id: id,
        role_name: GUEST_ROLE.name,
        role_unique_id: GUEST_ROLE.unique_id,
      }),
    });
    expect(response.ok).toBe(true);
    await response.arrayBuffer();
  }

  async function subscribe({ id, token }: NewGuest): Promise<string> {
    const response = await fetch(`${site.forms}subscriptions`, {
      method: 'POST',
      headers: { ...authorized({ id, token }), 'idempotency-key': subscriptionKey },
      body: JSON.stringify({
        email: 'ada@example.com',
        source_id: formSources.newsletter,
        form_fields: 'ada@example.com',
        visitor_unique_id: id,
        visitor_type: 'guest',
      }),
    });
    expect(response.ok).toBe(true);
    return ((await response.json()) as { data: { id: string } }).data.id;
  }

  test('a second site on the same data folder is rejected while the first one runs', async () => {
    const { code, stderr } = await failedStart({
      PORT: String(await freePorts(5)),
      DATA_DIR: site.dataDir,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(site.dataDir) as string });
    expect(stderr).toMatch(/is in use by process \d+/);
    expect(await readGuest(site, guest)).toMatchObject({ status: 200 });
    expect(await site.stop()).toBe(0);
  });
});

test.each([0, 1, 2, 3, 4])(
  'if port %i of the five is in use: one line with its number, and exit code 1',
  async (offset) => {
    const port = await freePorts(5);
    const other = createServer().listen(port + offset, 'localhost');
    await once(other, 'listening');
    const dataDir = join(scratch, `ports-${offset}`);
    const { code, stderr } = await failedStart({ PORT: String(port), DATA_DIR: dataDir });
    other.close();
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain(`Port ${port + offset} `);
    expect(stderr).toContain('PORT=');
  },
);

describe('an unusable data folder', () => {
  const start = async (dataDir: string) =>
    failedStart({ PORT: String(await freePorts(5)), DATA_DIR: dataDir });

  test('DATA_DIR is a file: the message contains its path, and the file stays', async () => {
    const file = join(scratch, 'a-file');
    await writeFile(file, 'precious');
    const { code, stderr } = await start(file);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(stderr).toContain('DATA_DIR');
    expect(stderr).not.toMatch(/^\s+at /m); // a message, not a stack trace
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  describe('the database folder is corrupt', () => {
    const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

    // Damage that is detected before the database is opened, and by opening it; `data-folder.test.ts` has more cases.
    test.each<[string, (cluster: string) => Promise<void>]>([
      ['without PG_VERSION', (cluster) => rm(join(cluster, 'PG_VERSION'))],
      [
        'with an invalid pg_control',
        (cluster) => writeFile(join(cluster, 'global/pg_control'), Buffer.alloc(8192, 7)),
      ],
    ])('%s: a message with the remedy, and nothing is deleted', async (name, damage) => {
      const dataDir = join(scratch, name.replaceAll(' ', '-'));
      await cp(site.dataDir, dataDir, { recursive: true });
      await damage(join(dataDir, 'database/cluster'));
      const before = await filesIn(dataDir);
      const { code, stderr } = await start(dataDir);
      expect(code).toBe(1);
      expect(stderr).toContain(join(dataDir, 'database'));
      expect(stderr).toContain('Restore the folder from a backup, or move it away');
      expect(stderr).not.toMatch(/^\s+at /m);
      const after = await filesIn(dataDir);
      expect(before.filter((file) => !after.includes(file))).toEqual([]);
    });

    test('the undamaged folder still starts', async () => {
      await startAgain();
      expect(await readGuest(site, guest)).toEqual({ status: 200, id: guest.id });
      expect(await site.stop()).toBe(0);
    });
  });
});

describe('through `npm start`', () => {
  let root: string;
  let started: ChildProcess | undefined;

  /** The bootstrap in a separate folder with packages marked as installed: it must never install anything here. */
  beforeAll(async () => {
    root = join(scratch, 'bootstrap');
    await mkdir(join(root, 'node_modules'), { recursive: true });
    await mkdir(join(root, 'delivery/local'), { recursive: true });
    await writeFile(join(root, 'package-lock.json'), '{}');
    await writeFile(join(root, 'node_modules/.installed'), createHash('sha256').update('{}').digest('hex'));
    await symlink(join(repository, 'node_modules/.bin'), join(root, 'node_modules/.bin'));
    await cp(join(repository, 'delivery/local/bootstrap.mjs'), join(root, 'delivery/local/bootstrap.mjs'));
    await symlink(join(repository, 'delivery/local/src'), join(root, 'delivery/local/src'));
    await writeFile(
      join(root, 'package.json'),
      JSON.stringify({
        name: 'bootstrap-test',
        scripts: { start: 'node delivery/local/bootstrap.mjs delivery/local/src/start.ts' },
      }),
    );
  });
  afterEach(() => {
    // Cleans up after a failed test.
    if (started?.pid && started.exitCode === null && started.signalCode === null)
      process.kill(-started.pid, 'SIGKILL');
  });

  /** Over the data of this file's site: each start proves that the previous end left them intact. */
  async function start(
    command: string,
    args: string[],
  ): Promise<{ child: ChildProcess; output: () => string }> {
    const { port, dataDir } = site;
    // A separate process group, as a shell creates for a foreground command.
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    started = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        if (/^ready: /m.test(output)) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => reject(new Error(`It ended before it was ready:\n${output}`)));
    });
    return { child, output: () => output };
  }

  const bootstrap = [
    process.execPath,
    ['delivery/local/bootstrap.mjs', 'delivery/local/src/start.ts'],
  ] as const;
  const npm = ['npm', ['start']] as const;

  test.each([
    ['the bootstrap', bootstrap, 0],
    // npm exits by the signal itself once its script has ended.
    ['npm', npm, null],
  ] as const)(
    'Ctrl-C, which reaches every process of the group, ends %s cleanly',
    async (_name, [command, args], code) => {
      const { child, output } = await start(command, [...args]);
      const pid = await readPid(site);
      const ended = once(child, 'exit') as Promise<[number | null]>;
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect((await ended)[0]).toBe(code);
      await untilPortsAreFree(site.port);
      expect(isRunning(pid)).toBe(false);
      expect(output()).not.toContain('did not stop cleanly');
    },
  );

  test.each([
    ['the bootstrap', bootstrap],
    ['npm', npm],
  ] as const)('kill -9 of %s leaves no server behind', async (_name, [command, args]) => {
    const { child } = await start(command, [...args]);
    const pid = await readPid(site);
    child.kill('SIGKILL');
    await untilPortsAreFree(site.port);
    await until(() => !isRunning(pid));
    await expect(readFile(join(site.dataDir, 'running.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('after all of these its data is intact', async () => {
    await startAgain();
    expect(site.output()).not.toMatch(/^(built|published|release) /m);
    expect(await readGuest(site, guest)).toEqual({ status: 200, id: guest.id });
  });
});
