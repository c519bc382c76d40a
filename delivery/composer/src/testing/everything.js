// Replaces the sandbox's worker and has full access to Node, like a page that bypassed all of the worker's own
// restrictions. Responds to the first request with the names of the successful attempts. SETTINGS is prepended.
import { createRequire } from 'node:module';
import { readSync, writeSync } from 'node:fs';
import * as os from 'node:os';

const require = createRequire('/x.js');
const { port, socketPath, file, parent, writable } = SETTINGS;
const event = (emitter, good, bad = 'error') =>
  new Promise((resolve, reject) => {
    emitter.once(good, resolve);
    emitter.once(bad, reject);
    setTimeout(() => reject(new Error('nothing happened')), 1000);
  });

const ways = {
  'TCP connect': () => event(require('net').connect(port, '127.0.0.1'), 'connect'),
  'TCP connect by the class': () =>
    event(new (require('net').Socket)().connect(port, '127.0.0.1'), 'connect'),
  'TCP listen': () => event(require('net').createServer().listen(0, '127.0.0.1'), 'listening'),
  'Unix connect': () => event(require('net').connect(socketPath), 'connect'),
  'Unix listen': () => event(require('net').createServer().listen(`${writable}/socket`), 'listening'),
  'abstract Unix listen': () => event(require('net').createServer().listen('\0sandbox'), 'listening'),
  'UDP send': () =>
    new Promise((resolve, reject) => {
      const socket = require('dgram').createSocket('udp4');
      socket.once('error', reject);
      socket.send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    }),
  'DNS resolve': () => require('dns').promises.resolve4('example.com'),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
  http: () => event(require('http').get(`http://127.0.0.1:${port}/`), 'response'),
  http2: () => event(require('http2').connect(`http://127.0.0.1:${port}/`), 'connect'),
  tls: () => event(require('tls').connect(port, '127.0.0.1'), 'secureConnect'),
  tcp_wrap: () => {
    const { TCP, TCPConnectWrap, constants } = process.binding('tcp_wrap');
    if (new TCP(constants.SOCKET).connect(new TCPConnectWrap(), '127.0.0.1', port) !== 0)
      throw new Error('no');
  },
  pipe_wrap: () => {
    const { Pipe, PipeConnectWrap, constants } = process.binding('pipe_wrap');
    new Pipe(constants.SOCKET).connect(new PipeConnectWrap(), socketPath);
  },
  'read a file': () => require('fs').readFileSync(file),
  'read a file later': () => require('fs').promises.readFile(file),
  'read /etc/passwd': () => require('fs').readFileSync('/etc/passwd'),
  'read /proc': () => require('fs').readFileSync('/proc/self/environ'),
  'list a folder': () => require('fs').readdirSync('/'),
  'write a file': () => require('fs').writeFileSync(`${writable}/written`, 'x'),
  'append by a stream': () => event(require('fs').createWriteStream(`${writable}/stream`).end('x'), 'finish'),
  'make a symbolic link': () => require('fs').symlinkSync(file, `${writable}/link`),
  'follow a symbolic link': () => require('fs').readFileSync(`${writable}/planted`),
  'make a folder': () => require('fs').mkdirSync(`${writable}/folder`),
  'delete a file': () => require('fs').unlinkSync(file),
  'fs of process.binding': () => process.binding('fs').open(file, 0, 0o666),
  SQLite: () => new (require('node:sqlite').DatabaseSync)(`${writable}/sqlite`),
  'SQLite in memory': () => new (require('node:sqlite').DatabaseSync)(':memory:'),
  spawn: () => event(require('child_process').spawn('/bin/true'), 'exit'),
  spawnSync: () => {
    const { error } = require('child_process').spawnSync('/bin/true');
    if (error) throw error;
  },
  fork: () => event(require('child_process').fork('/x.js'), 'spawn'),
  spawn_sync: () => {
    const { error } = process.binding('spawn_sync').spawn({ file: '/bin/true', args: ['true'], stdio: [] });
    if (error) throw new Error('no');
  },
  execve: () => process.execve('/bin/true', ['true'], {}),
  cluster: () => event(require('cluster').fork(), 'online'),
  worker: () => event(new (require('worker_threads').Worker)('1', { eval: true }), 'online'),
  addon: () => process.dlopen({ exports: {} }, '/x.node'),
  FFI: () => require(`node:${'ffi'}`).dlopen(null, {}),
  WASI: () => new (require('wasi').WASI)({ version: 'preview1' }),
  inspector: () => require('inspector').open(0),
  'inspector session': () => new (require('inspector').Session)().connect(),
  eval: () => (0, eval)('1'),
  Function: () => new Function('return 1')(),
  'heap snapshot': () => require('v8').writeHeapSnapshot(`${writable}/heap`),
  report: () => process.report.writeReport(`${writable}/report`),
  'trace events': async () => {
    process.chdir(writable);
    require('trace_events')
      .createTracing({ categories: ['node', 'v8'] })
      .enable();
    await new Promise((resolve) => setTimeout(resolve, 200));
    throw new Error('what it may have written is looked for in the folder');
  },
  environment: () => {
    if (Object.keys(process.env).length === 0) throw new Error('it is empty');
  },
  ...(parent === null
    ? {}
    : {
        'signal the parent': () => process.kill(parent, 0),
        'priority of the parent': () => os.setPriority(parent, 1),
        'another user again': () => process.setuid(0),
        'network interfaces': () => {
          if (Object.values(os.networkInterfaces()).flat().length === 0) throw new Error('none');
        },
      }),
};

// Rejections without a handler.
process.on('uncaughtException', () => undefined);
const request = Buffer.alloc(65536);
readSync(3, request);
const worked = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    worked.push(name);
  } catch {
    // Expected.
  }
}
const parts = [
  request.subarray(8, 8 + request.readUInt32BE(4)).toString(),
  'rendered',
  '',
  `${Object.keys(ways).length} tried; worked: ${worked.join()}`,
];
const sized = parts.flatMap((part) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(Buffer.byteLength(part));
  return [size, Buffer.from(part)];
});
const size = Buffer.alloc(4);
size.writeUInt32BE(Buffer.concat(sized).length);
writeSync(3, Buffer.concat([size, ...sized]));
