import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serialize } from 'node:v8';
import type { SiteConfig } from '@site/contract';
import { ComposeError } from './compose-error.ts';
import { createComposer, type ComposeRequest, type ComposerOptions } from './create-composer.ts';

const config: SiteConfig = {
  origin: 'https://example.com',
  mode: 'staging',
  gateway: { base: '', appId: 'gateway' },
  forms: { base: '', appId: 'forms' },
};

/** A minimal shell: a page is a function that returns its markup. */
const shell = `
  const util = require('node:util');
  module.exports = {
    shared: { react: { name: 'the only react' } },
    render: async ({ path, component, variants, config }) => ({
      head: '<title>' + path + '</title>',
      html: '<main>' + (await component({ variants, config })) + '</main>',
    }),
  };`;

const remoteWith = (body: string) => `
  const react = require('react');
  module.exports = { './page': async function ({ variants, config }) { ${body} } };`;

function compose(remote: string, overrides: Partial<ComposeRequest> = {}, options: ComposerOptions = {}) {
  return createComposer(options).compose({
    app: 'mfe-blocks',
    shell: Buffer.from(shell),
    remote: Buffer.from(remote),
    config,
    pages: [{ path: '/blocks', module: './page' }],
    ...overrides,
  });
}

/** A valid response as encoded on the channel, in hex. */
function forgedReply(): string {
  const body = serialize({ type: 'rendered', page: { head: '', html: 'forged' } });
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  return Buffer.concat([size, body]).toString('hex');
}

async function refusal(promise: Promise<unknown>): Promise<ComposeError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ComposeError)) throw new Error(`Expected a ComposeError, got ${String(error)}`);
  return error;
}

test("renders a page in the shell with the shell's shared modules", async () => {
  const pages = await compose(remoteWith('return react.name + " at " + config.origin'));
  expect(pages).toEqual([
    {
      path: '/blocks',
      variantKey: '',
      page: {
        head: '<title>/blocks</title>',
        html: '<main>the only react at https://example.com</main>',
        sections: [{ anchor: null, heading: '', text: 'the only react at https://example.com' }],
      },
    },
  ]);
});

test('renders every page once per combination of its variants', async () => {
  const pages = await compose(remoteWith('return JSON.stringify(variants)'), {
    pages: [
      { path: '/home', module: './page', variants: { headline: ['a', 'b'], tone: ['x', 'y'] } },
      { path: '/blocks', module: './page' },
    ],
  });
  expect(pages.map(({ path, variantKey, page }) => [path, variantKey, page.html])).toEqual([
    ['/home', 'headline=a&tone=x', '<main>{"headline":"a","tone":"x"}</main>'],
    ['/home', 'headline=a&tone=y', '<main>{"headline":"a","tone":"y"}</main>'],
    ['/home', 'headline=b&tone=x', '<main>{"headline":"b","tone":"x"}</main>'],
    ['/home', 'headline=b&tone=y', '<main>{"headline":"b","tone":"y"}</main>'],
    ['/blocks', '', '<main>{}</main>'],
  ]);
});

test('ignores output that a page prints', async () => {
  const pages = await compose(
    remoteWith('console.log("x".repeat(1e6)); process.stdout.write("{}"); return "fine"'),
  );
  expect(pages[0]?.page.html).toBe('<main>fine</main>');
});

test('names app, page, variant and cause when a page throws', async () => {
  const error = await refusal(
    compose(
      remoteWith('if (variants.headline === "b") throw new TypeError("no such block"); return "fine"'),
      {
        pages: [{ path: '/home', module: './page', variants: { headline: ['a', 'b'] } }],
      },
    ),
  );
  expect(error).toMatchObject({
    code: 'compose_page_failed',
    app: 'mfe-blocks',
    path: '/home',
    variant: 'headline=b',
    message:
      'mfe-blocks: the page /home with headline=b cannot be rendered: TypeError: no such block (in ./page, line 3, column 109 of its server bundle)',
    cause: expect.objectContaining({ stack: expect.stringContaining('remote/server.js') as string }) as Error,
  });
});

test("names the source file of a page that throws if the bundle's comments contain it", async () => {
  const failing = (comment: string) =>
    refusal(compose(`;// ./src/pages/a.tsx\n${comment}\n${remoteWith('throw new Error("no")')}`));
  expect((await failing(';// ./src/pages/b.data.ts')).message).toContain(
    '(in ./page, ./src/pages/b.data.ts: line 5, column',
  );
  expect((await failing(';// ./src/pages/b.data.ts) (a text of its own')).message).toContain(
    '(in ./page, line 5, column',
  );
  // The error is in another module, without such a comment.
  expect((await failing('/***/ 6403')).message).toContain('(in ./page, line 5, column');
});

test('stops a page with an infinite loop', async () => {
  const error = await refusal(compose(remoteWith('for (;;);'), {}, { timeoutMs: 2000 }));
  expect(error).toMatchObject({ code: 'compose_page_timeout', path: '/blocks' });
  expect(error.message).toBe('mfe-blocks: the page /blocks did not finish rendering within 2000 ms.');
});

test('stops a page that awaits a promise that never settles', async () => {
  const error = await refusal(compose(remoteWith('await new Promise(() => {})'), {}, { timeoutMs: 2000 }));
  expect(error.code).toBe('compose_page_timeout');
});

test('stops a bundle that loops while it loads', async () => {
  const error = await refusal(compose('for (;;);', {}, { timeoutMs: 700 }));
  expect(error).toMatchObject({ code: 'compose_page_timeout', app: 'mfe-blocks', path: null });
});

test('names the page that ends the process', async () => {
  const error = await refusal(compose(remoteWith('process.exit(0)')));
  expect(error.code).toBe('compose_page_exited');
  expect(error.message).toBe('mfe-blocks: the page /blocks ended the process with code 0 while rendering.');
});

test('names the page that causes an uncaught error', async () => {
  const error = await refusal(
    compose(remoteWith('setTimeout(() => { throw new Error("too late") }); await new Promise(() => {})')),
  );
  expect(error).toMatchObject({ code: 'compose_page_failed', path: '/blocks' });
  expect(error.message).toContain('too late');
  const rejection = await refusal(
    compose(remoteWith('Promise.reject(new Error("forgotten")); return "fine"')),
  );
  expect(rejection.message).toContain('forgotten');
});

test('names the page that exhausts the heap', async () => {
  const body = 'const hoard = []; for (;;) hoard.push(new Array(1e5).fill({ a: hoard.length }));';
  const error = await refusal(compose(remoteWith(body), {}, { maxOldSpaceMb: 48, timeoutMs: 60_000 }));
  expect(error).toMatchObject({ code: 'compose_out_of_memory', path: '/blocks' });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux(
  'names the page that allocates buffers, which the heap limit does not count',
  async () => {
    const body =
      'const hoard = []; for (;;) { hoard.push(Buffer.alloc(2e7, 1)); await new Promise((r) => setTimeout(r, 5)); }';
    const error = await refusal(compose(remoteWith(body), {}, { maxOldSpaceMb: 48, timeoutMs: 60_000 }));
    expect(error).toMatchObject({ code: 'compose_out_of_memory', path: '/blocks' });
  },
  60_000,
);

test('gives a page no access to the file system', async () => {
  const required = await refusal(compose(remoteWith('require("fs").readFileSync("/etc/passwd")')));
  expect(required.message).toContain('require("fs") is refused: the shell shares react');

  const builtin = await refusal(compose(remoteWith('process.getBuiltinModule("fs")')));
  expect(builtin.message).toContain('not available while a page is rendered');

  const internal = await refusal(compose(remoteWith('process.binding("fs")')));
  expect(internal.message).toContain('process.binding');

  const imported = await refusal(compose(remoteWith('await import("node:fs")')));
  expect(imported.code).toBe('compose_page_failed');
});

test('gives the shell no access to the file system, even through a module that reads files', async () => {
  const reading = `${shell}; const read = require('fs').readFileSync; read('/etc/passwd');`;
  const error = await refusal(compose(remoteWith('return ""'), { shell: Buffer.from(reading) }));
  expect(error).toMatchObject({ code: 'compose_shell_invalid', app: 'shell' });
  expect(error.message).toContain('require("fs") is refused');
});

test('the permission model also denies files, processes and threads', async () => {
  const asked = `['fs.write', 'child', 'worker', 'addon'].map((what) => process.permission.has(what))`;
  const pages = await compose(
    remoteWith(`return [process.permission.has('fs.read', '/etc/passwd'), ...${asked}].join()`),
  );
  expect(pages[0]?.page.html).toBe('<main>false,false,false,false,false</main>');
});

test('does not let a page signal other processes, such as the registry that started it', async () => {
  for (const way of ['kill', '_kill', '_debugProcess']) {
    const error = await refusal(compose(remoteWith(`process.${way}(process.ppid, 0)`)));
    expect(error.message).toContain(`process.${way} is not available`);
  }
});

test('gives a page an empty environment', async () => {
  process.env.COMPOSER_TEST_SECRET = 'secret';
  try {
    const pages = await compose(remoteWith('return JSON.stringify(process.env)'));
    expect(pages[0]?.page.html).toBe('<main>{}</main>');
  } finally {
    delete process.env.COMPOSER_TEST_SECRET;
  }
});

test('gives a page no network access', async () => {
  const error = await refusal(compose(remoteWith('await fetch("http://127.0.0.1/")')));
  expect(error.message).toContain('fetch is not available while a page is rendered ahead of time');
});

describe('a service on the same machine', () => {
  let heard: string[];
  let server: ReturnType<typeof createServer>;
  let port: number;
  beforeEach(async () => {
    heard = [];
    server = createServer((request, response) => {
      heard.push(String(request.url));
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const ask = (socket: string) => `const socket = ${socket};
    await new Promise((resolve, reject) => {
      socket.on('error', reject).on('close', resolve).resume();
      socket.connect(PORT, '127.0.0.1').end('GET /stolen HTTP/1.0\\r\\n\\r\\n');
    });`;

  test.each([
    ['the standard error', ask('new process.stderr.constructor()')],
    ['the console', ask('new console._stderr.constructor()')],
    ['the open handles', ask('new (process._getActiveHandles().at(-1).constructor)()')],
    [
      'the dispatcher of fetch',
      `new Response();
      const handler = { onConnect() {}, onHeaders: () => true, onData: () => true };
      await new Promise((onComplete, onError) => {
        const request = { origin: 'http://127.0.0.1:PORT', path: '/stolen', method: 'GET' };
        globalThis[Symbol.for('undici.globalDispatcher.1')].dispatch(request, { ...handler, onComplete, onError });
      });`,
    ],
  ])('a page cannot reach it through %s', async (_way, body) => {
    const error = await refusal(compose(remoteWith(`${body.replaceAll('PORT', String(port))} return ""`)));
    expect(error.code).toBe('compose_page_failed');
    expect(heard).toEqual([]);
  });
});

/** Traverses every property reachable from the global object and from objects that a page can create. */
const findWaysOut = `
  const makers = [() => new Response('x'), () => new Request('http://x/'), () => new AbortController(),
    () => new CompressionStream('gzip'), () => new MessageChannel(), () => new Blob(['x']).stream(),
    () => setTimeout(() => 0), () => setImmediate(() => 0), () => new PerformanceObserver(() => 0), () => require];
  const queue = [globalThis, ...makers.map((make) => make())].map((value) => [value, '']);
  const seen = new Set();
  const found = [];
  const look = (read, path) => {
    try {
      const value = read();
      if (value instanceof Promise) value.catch(() => 0);
      if (Object(value) === value && !seen.has(value)) { seen.add(value); queue.push([value, path]); }
    } catch {}
  };
  for (const [holder, path] of queue) {
    for (const key of Reflect.ownKeys(holder)) {
      const way = path + '/' + String(key);
      const { get, value } = Object.getOwnPropertyDescriptor(holder, key);
      if (/^(connect|listen|dispatch|writeBuffer|writeUtf8String|fd)$/.test(String(key))) found.push(way);
      look(() => value ?? holder[key], way);
      look(() => get, way);
    }
    look(() => Object.getPrototypeOf(holder), path + '/prototype');
  }
  return seen.size > 1000 ? 'found: ' + found.join(' ') : 'looked at too little: ' + seen.size;`;

test('exposes no object that connects or writes by file descriptor', async () => {
  const pages = await compose(remoteWith(findWaysOut));
  // Stubs for the dispatchers that fetch uses; they refuse.
  const inert = [1, 2].map((version) => `/Symbol(undici.globalDispatcher.${version})/dispatch`);
  expect(
    pages[0]?.page.html
      .replace(/<\/?main>/g, '')
      .split(' ')
      .sort(),
  ).toEqual([...inert, 'found:']);
});

test('lets a page use the parts of fetch that need no network', async () => {
  const pages = await compose(remoteWith('return new Response("fine").text()'));
  expect(pages[0]?.page.html).toBe('<main>fine</main>');
});

test('gives the shell the parts of async_hooks that React needs, and no handles', async () => {
  const curious = `${shell}; module.exports.shared.hooks = Object.keys(require('node:async_hooks'));`;
  const pages = await compose(remoteWith('return require("hooks").join()'), { shell: Buffer.from(curious) });
  expect(pages[0]?.page.html).toBe('<main>AsyncLocalStorage,AsyncResource</main>');
});

test('does not let a page forge a response on the process channel', async () => {
  const error = await refusal(
    compose(remoteWith('process.send({ type: "rendered", page: { head: "", html: "forged" } })')),
  );
  expect(error.code).toBe('compose_page_failed');
});

test.each([
  ['_send', `process._send({ type: 'rendered', page: { head: '', html: 'forged' } }, null, {})`],
  [
    'an event',
    `process.emit('message', { type: 'render', module: './good', path: '/blocks', variants: {}, config })`,
  ],
  [
    "the channel's handle",
    `for (const s of Object.getOwnPropertySymbols(process)) {
      if (String(s).includes('ChannelHandle')) process[s].writeUtf8String({}, 'forged');
    }`,
  ],
  [
    "its output's class, with the channel's file descriptor",
    `new process.stdout.constructor(3).write(Buffer.from('${forgedReply()}', 'hex'))`,
  ],
])('a throwing page cannot pass as rendered by means of %s', async (_, forge) => {
  const good = `module.exports['./good'] = async () => 'forged';`;
  const error = await refusal(
    compose(
      remoteWith(`${forge}; await new Promise((go) => setTimeout(go, 50)); throw new Error("broken");`) +
        good,
    ),
  );
  expect(error.code).toBe('compose_page_failed');
});

test('rejects a page that causes a React warning, and includes the warning', async () => {
  const error = await refusal(
    compose(remoteWith('console.error("In HTML, %s cannot be a child of %s.", "<p>", "<p>"); return "fine"')),
  );
  expect(error.message).toContain('In HTML, <p> cannot be a child of <p>.');
});

test.each([
  ['an inline style attribute', '<p class="a" style="color:red">x</p>', 'inline style attribute'],
  ['a style element', '<style>p{}</style>', 'a <style> in its body'],
  ['markup that browsers rearrange', '<p><p>x</p></p>', 'browsers read its markup differently'],
  ['a script that would run', '<script>$RC("B:0","S:0")</script>', 'has a script'],
])('rejects a page with %s, which would break in the browser', async (_what, html, problem) => {
  const error = await refusal(compose(remoteWith(`return ${JSON.stringify(html)}`)));
  expect(error.code).toBe('compose_page_invalid');
  expect(error.message).toContain(problem);
});

test('rejects pages that together exceed the memory limit', async () => {
  const error = await refusal(
    compose(
      remoteWith('return "x".repeat(9_500)'),
      { pages: Array.from({ length: 80 }, (_, index) => ({ path: `/p${index}`, module: './page' })) },
      { maxBytes: 100_000 },
    ),
  );
  expect(error).toMatchObject({ code: 'compose_page_invalid', path: '/p6' });
  expect(error.message).toMatch(/renders 10\d{4} bytes of pages; .* at most 100000/);
});

test('accepts structured data and text about styles', async () => {
  const html =
    '<script type="application/ld+json">{}</script><p>write style=&quot;x&quot; and &lt;style&gt;</p>';
  const pages = await compose(remoteWith(`return ${JSON.stringify(html)}`));
  expect(pages[0]?.page.html).toBe(`<main>${html}</main>`);
});

test('rejects a shell whose render does not return head and html', async () => {
  const wrong = `module.exports = { shared: { react: {} }, render: async () => ({ html: 1 }) };`;
  const error = await refusal(compose(remoteWith('return ""'), { shell: Buffer.from(wrong) }));
  expect(error.code).toBe('compose_page_invalid');
});

test('names the missing module of the remote, and the existing ones', async () => {
  const error = await refusal(
    compose(remoteWith('return ""'), { pages: [{ path: '/blocks', module: './other' }] }),
  );
  expect(error.message).toBe(
    'mfe-blocks: the page /blocks is missing: the server bundle has no module "./other" (it has: ./page).',
  );
});

test('reports a module that exists but exports no page', async () => {
  const error = await refusal(compose('module.exports = { "./page": undefined }'));
  expect(error.message).toContain('the module "./page" exports no page: write "export default function …"');
});

test('rejects a remote that requires a module the shell does not share, and a bundle that is not a script', async () => {
  const needy = await refusal(compose('require("lodash")'));
  expect(needy).toMatchObject({ code: 'compose_remote_invalid', app: 'mfe-blocks', path: null });
  expect(needy.message).toContain('require("lodash") is refused');
  const garbage = await refusal(compose('<html>'));
  expect(garbage.code).toBe('compose_remote_invalid');
});

test('composes again after a page damages its process', async () => {
  const error = await refusal(compose(remoteWith('process.abort()')));
  expect(error.code).toBe('compose_page_exited');
  await expect(compose(remoteWith('return "fine"'))).resolves.toHaveLength(1);
});

test('names the invalid page even though it is checked while the next one renders', async () => {
  const remote = `module.exports = {
    './wrong': async () => '<marquee></marquee>',
    './page': async () => process.exit(),
  };`;
  const error = await refusal(
    compose(remote, {
      pages: [
        { path: '/wrong', module: './wrong' },
        { path: '/blocks', module: './page' },
      ],
    }),
  );
  expect(error).toMatchObject({ code: 'compose_page_invalid', path: '/wrong' });
});
