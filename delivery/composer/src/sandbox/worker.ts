/**
 * The child process that renders. It runs without environment, without file system (but this folder), without child
 * processes or workers, under a heap limit, and is killed by its parent when it does not answer in time. The bundles
 * run in its main context, because React and the router need the platform's own objects (URL, Request, streams).
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { compileFunction } from 'node:vm';
import { format } from 'node:util';
import { createRequire } from 'node:module';
import type { RemoteServerBundle, ShellServerBundle } from '@site/contract';
import type { SandboxFailure, SandboxReply, SandboxRequest } from './messages.ts';

/** What react-dom/static and react-router need of Node. Everything else is refused with a message that says so. */
const shellBuiltins = [
  'async_hooks',
  'buffer',
  'crypto',
  'events',
  'stream',
  'string_decoder',
  'url',
  'util',
];

/** What a page may use of its process. */
const partsForPages = [
  ...(['version', 'versions', 'platform', 'arch', 'release', 'features', 'pid', 'permission'] as const),
  ...(['cwd', 'exit', 'abort', 'nextTick', 'hrtime', 'uptime', 'memoryUsage', 'emitWarning'] as const),
];
/** They give out the channel, whose class opens sockets. */
const handleLists = ['_getActiveHandles', '_getActiveRequests'];

const nodeRequire = createRequire(import.meta.url);
const ipc = process as unknown as { _send?(reply: SandboxReply, handle: null, options: object): void };
// `process.send` goes through `process._send`, which is taken away below.
const send = ipc._send?.bind(process);
if (!send) throw new Error('The composer starts this file as a child process; it does nothing on its own.');

let shell: ShellServerBundle | null = null;
let remote: RemoteServerBundle | null = null;
/** What was printed with console.error, or thrown where nobody catches it, since the last request. */
let complaints: string[] = [];
let interrupt: (error: unknown) => void = () => undefined;

console.error = (...parts: unknown[]) => void complaints.push(format(...parts));
process.on('uncaughtException', (error) => interrupt(error));
process.on('unhandledRejection', (error) => interrupt(error));
process.on('disconnect', () => process.exit());
let isBusy = false;
process.on('message', (request: SandboxRequest) => {
  // The parent asks one thing at a time: whatever else comes is an event that a page made up.
  if (isBusy) return;
  isBusy = true;
  void answer(request).then((reply) => {
    isBusy = false;
    send(reply, null, { swallowErrors: true });
  });
});
closeDoors();

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  complaints = [];
  const interrupted = new Promise<never>((_resolve, reject) => (interrupt = reject));
  interrupted.catch(() => undefined);
  if (request.type === 'load') return load(request);

  const component = remote?.[request.module];
  if (!shell || component === undefined) {
    const known = Object.keys(remote ?? {}).join(', ');
    return failed(
      'missing',
      new Error(`the server bundle has no module "${request.module}" (it has: ${known})`),
    );
  }
  try {
    const { path, variants, config } = request;
    const page = await Promise.race([shell.render({ path, component, variants, config }), interrupted]);
    // One turn of the event loop, so that a rejection that nobody handles is seen while this page is the culprit.
    await Promise.race([new Promise((resolve) => setImmediate(resolve)), interrupted]);
    throwComplaints();
    return { type: 'rendered', page };
  } catch (error) {
    return failed('page', error);
  }
}

function load(request: { shell: Uint8Array; remote: Uint8Array }): SandboxReply {
  try {
    shell = evaluate('shell/server.js', request.shell, requireBuiltin) as ShellServerBundle;
    if (typeof shell.render !== 'function' || typeof shell.shared !== 'object') {
      throw new Error('it must export { shared, render }');
    }
    throwComplaints();
  } catch (error) {
    return failed('shell', error);
  }
  const { shared } = shell;
  try {
    remote = evaluate('remote/server.js', request.remote, (name) => {
      if (Object.hasOwn(shared, name)) return shared[name];
      throw new Error(
        `require(${JSON.stringify(name)}) is refused: the shell shares ${Object.keys(shared).join(', ')}`,
      );
    }) as RemoteServerBundle;
    throwComplaints();
  } catch (error) {
    return failed('remote', error);
  }
  return { type: 'loaded' };
}

/** React reports what would break in the browser (invalid nesting, bad props) with console.error: composing tells. */
function throwComplaints(): void {
  if (complaints.length > 0) throw new Error(`it printed an error: ${complaints.join(' · ')}`);
}

function evaluate(filename: string, code: Uint8Array, require: (name: string) => unknown): unknown {
  const module: { exports: unknown } = { exports: {} };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(Buffer.from(code).toString('utf8'), parameters, { filename }) as (
    ...values: unknown[]
  ) => void;
  run(module.exports, require, module, filename, '/');
  return module.exports;
}

function requireBuiltin(name: string): unknown {
  const bare = name.replace(/^node:/, '');
  // The rest of it gives out handles, also that of the channel.
  if (bare === 'async_hooks') return { AsyncLocalStorage, AsyncResource };
  if (shellBuiltins.includes(bare)) return nodeRequire(bare);
  throw new Error(
    `require(${JSON.stringify(name)}) is refused: a server bundle may use ${shellBuiltins.join(', ')}`,
  );
}

/**
 * The permission model covers files, child processes, workers and addons, but neither the network nor signals. A page that
 * fetches while it is rendered ahead of time would also render differently each time. So whatever holds a socket, or a
 * class that makes one, goes; and of the process, which has new ways to them with every Node, a page sees a few parts only.
 */
function closeDoors(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource']) fix(globalThis, name, refuse(name));
  // Where `fetch` looks for what connects. It is made when `Response` and the like are used first, unless there is one.
  for (const version of [1, 2]) {
    fix(globalThis, Symbol.for(`undici.globalDispatcher.${version}`), { dispatch: refuse('fetch') });
  }
  // `console` has them, too. Their classes open connections, and write to the channel by its number.
  for (const name of ['stdin', 'stdout', 'stderr']) fix(process, name, silentStream());
  // `kill` and its relatives would reach the process that started this one.
  for (const name of ['getBuiltinModule', 'kill', '_kill', '_debugProcess', 'dlopen', ...handleLists]) {
    fix(process, name, refuse(`process.${name}`));
  }
  // Replies are this file's alone: a page must not be able to speak for another page.
  for (const name of ['send', '_send']) fix(process, name, undefined);
  // Node looks whether they are there, and empties them, when the parent ends the channel.
  const inert = { value: {}, writable: true, configurable: false };
  for (const name of ['channel', '_channel']) Object.defineProperty(process, name, inert);
  for (const symbol of Object.getOwnPropertySymbols(process)) {
    if (symbol.description === 'kChannelHandle') Object.defineProperty(process, symbol, inert);
  }
  fix(globalThis, 'process', processForPages());
}

function processForPages(): object {
  const shown: Record<string | symbol, unknown> = { [Symbol.toStringTag]: 'process' };
  for (let level: object | null = process; level; level = Object.getPrototypeOf(level) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value === 'function') shown[name] ??= refuse(`process.${name}`);
    }
  }
  for (const name of partsForPages) shown[name] = process[name];
  return Object.assign(shown, {
    env: { ...process.env },
    stdout: process.stdout,
    stderr: process.stderr,
    // How React reports what nobody catches.
    emit: (name: unknown, error: unknown) => {
      if (name === 'uncaughtException') interrupt(error);
    },
  });
}

function silentStream(): object {
  const self = () => stream;
  const stream: object = Object.freeze({
    write: () => true,
    on: self,
    once: self,
    removeListener: self,
    listenerCount: () => 0,
  });
  return stream;
}

function refuse(name: string): () => never {
  return () => {
    throw new Error(`${name} is not available while a page is rendered ahead of time`);
  };
}

function fix(target: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: false, configurable: false });
}

function failed(step: 'shell' | 'remote' | 'missing' | 'page', error: unknown): SandboxReply {
  return { type: 'failed', step, failure: describe(error) };
}

function describe(error: unknown): SandboxFailure {
  try {
    // A page can throw anything, also an error whose fields are no texts.
    if (error instanceof Error) {
      const { name, message, stack = '' }: { name: unknown; message: unknown; stack?: unknown } = error;
      return { name: String(name), message: String(message), stack: String(stack) };
    }
    return { name: 'Error', message: `threw ${format(error)}`, stack: '' };
  } catch {
    return { name: 'Error', message: 'threw a value that cannot be described', stack: '' };
  }
}
