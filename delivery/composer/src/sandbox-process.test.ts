import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandboxCommand } from './sandbox-command.ts';
import { startSandbox, type Sandbox } from './sandbox-process.ts';
import { descendants } from './testing/descendants.ts';
import { nextEvent } from '@site/server/testing/wait-for';

/** In the same process as Jest, the test database is also a child process. */
const unrelated = new Set(descendants(process.pid));

const limits = { timeoutMs: 60_000, maxOldSpaceMb: 128 };
const load = (sandbox: Sandbox) => sandbox.ask(['load', Buffer.from(''), Buffer.from('')]);

describe('sandboxed code with full access to Node', () => {
  let folder: string;
  let tcp: Server;
  let unix: Server;
  let calls = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    await chmod(folder, 0o777);
    await writeFile(join(folder, 'secret'), 'secret', { mode: 0o666 });
    await symlink(join(folder, 'secret'), join(folder, 'planted'));
    const listen = async (where: number | string) => {
      const server = createServer((socket) => {
        calls += 1;
        socket.destroy();
      });
      await nextEvent(server.listen(where as number), 'listening');
      return server;
    };
    tcp = await listen(0);
    unix = await listen(join(folder, 'unix'));
    await chmod(join(folder, 'unix'), 0o777);
  });
  afterAll(async () => {
    tcp.close();
    unix.close();
    await rm(folder, { recursive: true });
  });

  test('reaches no network, files, processes, SQLite or signals, and cannot generate code', async () => {
    const { missing } = await findSandboxCommand();
    const settings = {
      port: (tcp.address() as AddressInfo).port,
      socketPath: join(folder, 'unix'),
      file: join(folder, 'secret'),
      writable: folder,
      // Only the operating system can block signals: see the composer's message at startup.
      parent: missing === null ? process.pid : null,
    };
    const code = await readFile(join(import.meta.dirname, 'testing/everything.js'), 'utf8');
    const sandbox = await startSandbox(limits, code.replace('SETTINGS;', `${JSON.stringify(settings)};`));
    const answer = await load(sandbox);
    sandbox.kill();
    expect(answer).toEqual(['rendered', '', expect.stringMatching(/^\d{2} tried; worked: $/)]);
    expect(calls).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(['planted', 'secret', 'unix']);
  });
});

/** A sandbox that runs this code: `send` writes bytes to the channel, `ask()` reads a request and returns its id. */
async function answering(body: string): Promise<[Sandbox, Promise<unknown>]> {
  const sandbox = await startSandbox(
    { ...limits, timeoutMs: 10_000 },
    `import { readSync, writeSync, closeSync } from 'node:fs';
    const send = (bytes) => writeSync(3, bytes);
    const uint32 = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(value); return bytes; };
    const frame = (...parts) => {
      const body = Buffer.concat(parts.flatMap((part) => [uint32(Buffer.byteLength(part)), Buffer.from(part)]));
      return Buffer.concat([uint32(body.length), body]);
    };
    const ask = () => { const bytes = Buffer.alloc(65536); readSync(3, bytes); return bytes.toString('utf8', 8, 44); };
    ${body}`,
  );
  return [sandbox, load(sandbox)];
}

test.each([
  ['garbage', `ask(); send(Buffer.alloc(1000, 255));`],
  ['a frame length that would exhaust the memory', `ask(); send(uint32(0xffffffff));`],
  ['a frame with too many parts', `send(frame(ask(), ...Array(1000).fill('')));`],
  [
    'a frame that is larger than its parts',
    `ask(); send(uint32(6)); send(uint32(9)); send(Buffer.alloc(2));`,
  ],
  ['half a frame before the end of input', `ask(); send(uint32(100)); process.exit();`],
  ['a response to another request', `ask(); send(frame('00000000-0000-0000-0000-000000000000', 'loaded'));`],
  ['a response before the request', `send(frame('', 'loaded')); setInterval(() => 0, 1e6);`],
  ['an unknown kind of response', `send(frame(ask(), '__proto__'));`],
  ['a response with the wrong shape', `send(frame(ask(), 'rendered', 'x', 'y', 'z'));`],
  ['deeply nested JSON with prototype names', `ask(); send('[{"__proto__":'.repeat(10000));`],
  ['the end of its pipe', `ask(); closeSync(3); process.exit();`],
  ['a flood on its standard error', `ask(); for (;;) writeSync(2, 'x'.repeat(1e5));`],
])('%s from the sandbox ends only its own request', async (_what, body) => {
  const [sandbox, answer] = await answering(body);
  expect(await answer).toEqual(['exited', expect.any(String)]);
  // Later requests get the same result.
  expect(await load(sandbox)).toEqual(['exited', expect.any(String)]);
});

describe('on its standard error', () => {
  const write = (bytes: number) =>
    `ask(); process.stderr.write('x'.repeat(${bytes}) + '\\nlast\\n', () => process.exit(7));`;

  test('the sandbox may write 1 MiB, whose last lines are reported', async () => {
    const [, answer] = await answering(write(1024 * 1024 - 6));
    expect(await answer).toEqual([
      'exited',
      expect.stringMatching(/^ended the process with code 7:\nx{3994}\nlast$/),
    ]);
  });

  test('more than 1 MiB ends the sandbox', async () => {
    const [, answer] = await answering(write(1024 * 1024 - 5));
    expect(await answer).toEqual(['exited', 'wrote without end to its standard error']);
  });
});

test('a second response to one request ends the sandbox', async () => {
  const [sandbox, answer] = await answering(
    `const id = ask(); send(Buffer.concat([frame(id, 'loaded'), frame(id, 'loaded')])); setInterval(() => 0, 1e6);`,
  );
  expect(await answer).toEqual(['loaded']);
  expect(await load(sandbox)).toEqual(['exited', 'answered what was not asked']);
});

test('enabling V8 trace files, which bypass the permission model, ends the sandbox', async () => {
  const [sandbox, answer] = await answering(
    `const id = ask(); process.getBuiltinModule('v8').setFlagsFromString('--trace-turbo'); send(frame(id, 'loaded'));`,
  );
  const answered = await answer;
  sandbox.kill();
  expect(answered).toEqual(['exited', expect.any(String)]);
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux(
  'a signal to a process group, which crosses namespaces, does not reach the process that started the sandbox',
  async () => {
    const [sandbox, answer] = await answering(
      `const id = ask(); send(frame(id, 'loaded')); setInterval(() => 0, 1e6);`,
    );
    const answered = await answer;
    const groups = descendants(process.pid, unrelated).map(readGroup);
    sandbox.kill();
    expect(answered).toEqual(['loaded']);
    expect(groups.length).toBeGreaterThan(0);
    expect(groups).not.toContain(readGroup(process.pid));
  },
);

function readGroup(pid: number): number {
  return Number(/\) \S+ \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
}
