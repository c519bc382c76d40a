/**
 * Renders pages. The composer passes this code as text, so that the process needs no permission to read files. It is
 * as untrusted as the page and holds no secrets. The isolation is in the process's missing permissions (see `sandbox-
 * command.ts`); the restrictions here give clear messages and defense in depth. It reads and writes synchronously, so
 * no foreign code runs between two requests. Bundles can change every built-in, so all built-ins used after a bundle
 * is loaded are saved before.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { readSync, writeSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { format } from 'node:util';
import type { RemoteServerBundle, ShellServerBundle, SiteConfig, VariantChoice } from '@site/contract';

/** The Node modules that react-dom/static and react-router need. Everything else is refused with a message. */
const shellBuiltins = [
  ...['async_hooks', 'buffer', 'crypto', 'events', 'stream', 'string_decoder', 'url', 'util'],
];
const partsForPages = [
  ...(['version', 'versions', 'platform', 'arch', 'release', 'features', 'pid', 'permission'] as const),
  ...(['cwd', 'exit', 'abort', 'nextTick', 'hrtime', 'uptime', 'memoryUsage', 'emitWarning'] as const),
];
/** Defense in depth against code that takes over the process. */
const hiddenFromPages = [
  ...['binding', '_linkedBinding', 'getBuiltinModule', 'dlopen', 'execve', 'loadEnvFile', 'openStdin'],
  ...['kill', '_kill', '_debugProcess', '_debugEnd', 'chdir', 'umask', 'setgroups', 'initgroups', 'setuid'],
  ...['setgid', 'seteuid', 'setegid', '_getActiveHandles', '_getActiveRequests', 'getActiveResourcesInfo'],
];
const CHANNEL = 3;

const uncurry = Function.prototype.bind.bind(Function.prototype.call as never) as <S, A extends unknown[], R>(
  method: (this: S, ...args: A) => R,
) => (self: S, ...args: A) => R;
const { apply } = Reflect;
const { defineProperty, hasOwn, keys } = Object;
const { parse, stringify } = JSON;
const { alloc, from, byteLength } = Buffer;
const exit = process.exit.bind(process);
const getBuiltin = process.getBuiltinModule.bind(process);
const toText = String;
const NativeError = Error;
const NativePromise = Promise;
const nextTurn = setImmediate;
const bytesMethods = Buffer.prototype as Buffer;
const uint32At = uncurry<Buffer, [number], number>(bytesMethods.readUInt32BE);
const putUint32 = uncurry<Buffer, [number, number], number>(bytesMethods.writeUInt32BE);
const utf8 = uncurry<Buffer, [BufferEncoding], string>(bytesMethods.toString);
const includes = uncurry<string[], [string], boolean>(Array.prototype.includes);
const joined = uncurry<string[], [string], string>(Array.prototype.join);
const slice = uncurry<string, [number], string>(String.prototype.slice);
const startsWith = uncurry<string, [string], boolean>(String.prototype.startsWith);

let shell: ShellServerBundle | null = null;
let remote: RemoteServerBundle | null = null;
/** console.error output since the last request. */
let consoleErrors = '';
let interrupt: (error: unknown) => void = () => undefined;

console.error = (...parts: unknown[]) => {
  consoleErrors += `${consoleErrors && ' · '}${apply(format, null, parts)}`;
};
process.on('uncaughtException', (error) => interrupt(error));
process.on('unhandledRejection', (error) => interrupt(error));
disableGlobals();
// Keeps the process alive: Node would exit when only a never-settling promise is left, and the timeout must be reported
// instead.
setInterval(() => undefined, 1e9);

for (;;) {
  readBytes(4);
  const id = readText();
  if (readText() === 'load') load(id, readText(), readText());
  else {
    await render(id, { path: readText(), module: readText(), variants: readText(), config: readText() });
  }
}

function load(id: string, shellCode: string, remoteCode: string): void {
  consoleErrors = '';
  try {
    shell = evaluate('shell/server.js', shellCode, requireBuiltin) as ShellServerBundle;
    if (typeof shell.render !== 'function' || typeof shell.shared !== 'object') {
      throw new NativeError('it must export { shared, render }');
    }
    throwConsoleErrors();
  } catch (error) {
    return fail(id, 'shell', error);
  }
  const { shared } = shell;
  try {
    remote = evaluate('remote/server.js', remoteCode, (name) => {
      if (hasOwn(shared, name)) return shared[name];
      throw new NativeError(
        `require(${stringify(name)}) is refused: the shell shares ${joined(keys(shared), ', ')}`,
      );
    }) as RemoteServerBundle;
    throwConsoleErrors();
  } catch (error) {
    return fail(id, 'remote', error);
  }
  reply(id, 'loaded');
}

interface Wanted {
  path: string;
  module: string;
  variants: string;
  config: string;
}

async function render(id: string, { path, module, variants, config }: Wanted): Promise<void> {
  consoleErrors = '';
  try {
    const component = remote?.[module];
    if (!shell || component === undefined) {
      const modules = remote ?? {};
      return fail(
        id,
        'missing',
        new NativeError(
          hasOwn(modules, module)
            ? `the module "${module}" exports no page: write "export default function …"`
            : `the server bundle has no module "${module}" (it has: ${joined(keys(modules), ', ')})`,
        ),
      );
    }
    const choice = parse(variants) as VariantChoice;
    const rendered = shell.render({ path, component, variants: choice, config: parse(config) as SiteConfig });
    const page = await new NativePromise<{ head: unknown; html: unknown }>((resolve, reject) => {
      interrupt = reject;
      rendered.then(resolve, reject);
    });
    // One event-loop iteration, so that an unhandled rejection is attributed to this page.
    await new NativePromise<void>((resolve, reject) => {
      interrupt = reject;
      nextTurn(resolve);
    });
    throwConsoleErrors();
    const { head, html } = page;
    if (typeof head === 'string' && typeof html === 'string') reply(id, 'rendered', head, html);
    else reply(id, 'rendered');
  } catch (error) {
    fail(id, 'page', error);
  }
}

/**
 * React reports errors that would break the browser (invalid nesting, bad props) with console.error. Treat them as
 * failures.
 */
function throwConsoleErrors(): void {
  if (consoleErrors !== '') throw new NativeError(`it printed an error: ${consoleErrors}`);
}

function evaluate(filename: string, code: string, require: (name: string) => unknown): unknown {
  const module: { exports: unknown } = { exports: {} };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(code, parameters, { filename }) as (...values: unknown[]) => void;
  run(module.exports, require, module, filename, '/');
  return module.exports;
}

function requireBuiltin(name: string): unknown {
  const bare = startsWith(name, 'node:') ? slice(name, 5) : name;
  // The rest of the module exposes handles.
  if (bare === 'async_hooks') return { AsyncLocalStorage, AsyncResource };
  if (includes(shellBuiltins, bare)) return getBuiltin(bare);
  throw new NativeError(
    `require(${stringify(name)}) is refused: a server bundle may use ${joined(shellBuiltins, ', ')}`,
  );
}

/** A page that fetches while prerendering would render differently each time, so fail immediately. */
function disableGlobals(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource']) fix(globalThis, name, refuse(name));
  fix(globalThis, 'WebAssembly', undefined);
  // Where `fetch` looks up its dispatcher. It is created on first use of `Response` and the like unless it exists.
  for (const version of [1, 2]) {
    fix(globalThis, Symbol.for(`undici.globalDispatcher.${version}`), { dispatch: refuse('fetch') });
  }
  // `console` also refers to these streams. Their classes open connections and write by file descriptor.
  for (const name of ['stdin', 'stdout', 'stderr']) fix(process, name, silentStream());
  // Node reports errors through this property, and a page may change its prototype.
  fix(process, 'emit', process.emit.bind(process));
  for (const name of hiddenFromPages) fix(process, name, refuse(`process.${name}`));
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
    env: {},
    stdout: process.stdout,
    stderr: process.stderr,
    // React reports uncaught errors this way.
    emit: (name: unknown, error: unknown) => {
      if (name === 'uncaughtException') interrupt(error);
    },
  });
}

function silentStream(): object {
  const self = () => stream;
  const stream: object = Object.freeze({
    ...{ write: () => true, on: self, once: self, removeListener: self },
    listenerCount: () => 0,
  });
  return stream;
}

function refuse(name: string): () => never {
  return () => {
    throw new NativeError(`${name} is not available while a page is rendered ahead of time`);
  };
}

function fix(target: object, name: string | symbol, value: unknown): void {
  defineProperty(target, name, { value, writable: false, configurable: false });
}

function fail(id: string, step: 'shell' | 'remote' | 'missing' | 'page', error: unknown): void {
  let name = 'Error';
  let message = 'threw a value that cannot be described';
  let stack = '';
  try {
    // A page can throw anything, including an error whose fields are not strings.
    if (error instanceof NativeError) {
      name = toText(error.name);
      stack = toText(error.stack);
      message = toText(error.message);
    } else {
      message = `threw ${format(error)}`;
    }
  } catch {
    // Keeps the defaults.
  }
  reply(id, 'failed', step, name, message, stack);
}

function readBytes(size: number): Buffer {
  const bytes = alloc(size);
  for (let at = 0; at < size;) {
    const count = orExit(() => readSync(CHANNEL, bytes, at, size - at, null));
    // End of input: the composer has closed the pipe.
    if (count === 0) exit();
    at += count;
  }
  return bytes;
}

function readText(): string {
  return utf8(readBytes(uint32At(readBytes(4), 0)), 'utf8');
}

function reply(...parts: string[]): void {
  let size = 0;
  for (let index = 0; index < parts.length; index += 1) size += 4 + byteLength(parts[index] ?? '');
  writeLength(size);
  for (let index = 0; index < parts.length; index += 1) {
    const bytes = from(parts[index] ?? '');
    writeLength(bytes.length);
    writeBytes(bytes);
  }
}

function writeLength(value: number): void {
  const bytes = alloc(4);
  putUint32(bytes, value, 0);
  writeBytes(bytes);
}

function writeBytes(bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    at += orExit(() => writeSync(CHANNEL, bytes, at, bytes.length - at));
  }
}

/** The channel fails when the composer is gone. Exit explicitly: other uncaught errors are only recorded. */
function orExit(transfer: () => number): number {
  try {
    return transfer();
  } catch {
    return exit();
  }
}
