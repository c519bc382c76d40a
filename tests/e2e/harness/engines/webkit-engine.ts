import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';
import { endWithThisProcess } from '@site/server/testing/let-go';
import { until } from '../until.ts';
import type { Engine, Key, PageHandle, Profile, Tab } from './engine.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const XVFB = '/usr/bin/Xvfb';
const XDOTOOL = '/usr/bin/xdotool';

/** Without this the toolbar keeps the window wider than a phone. */
const NARROW_TOOLBAR = 'toolbar *, button, entry { min-width: 0; padding: 0; margin: 0; }';

/** @see https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keyCodes: Record<string, string> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Control: '\uE009',
};

/** WebKitGTK has Safari's engine. Debian's build has no WebDriver BiDi, so this speaks classic WebDriver. */
export const webkit: Engine = {
  name: 'WebKit',
  missing: [DRIVER, BROWSER, XVFB, XDOTOOL].every((path) => existsSync(path))
    ? null
    : 'no WebKitGTK (Debian packages webkit2gtk-driver, xvfb and xdotool)',
  open: openWebKit,
  openWithCache: openWebKitWithCache,
};

interface InspectorResult {
  result: { value?: unknown };
  wasThrown?: boolean;
}

interface Remote {
  call<Result = unknown>(method: string, path: string, body?: object): Promise<Result>;
}

/** A separate display and settings folder; `close` removes both. */
async function startWindow() {
  const folder = await mkdtemp(join(tmpdir(), 'site-webkit-'));
  await mkdir(join(folder, 'gtk-3.0'));
  await writeFile(join(folder, 'gtk-3.0/gtk.css'), NARROW_TOOLBAR);
  const processes: ChildProcess[] = [];
  const start = (
    command: string,
    args: string[],
    env: NodeJS.ProcessEnv,
    stdio: 'ignore' | 'pipe' = 'ignore',
  ) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'ignore', stdio] });
    endWithThisProcess(child, 'SIGTERM');
    processes.push(child);
    return child;
  };
  const display = await startDisplay(start);
  const env = {
    ...process.env,
    DISPLAY: display,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_DATA_HOME: join(folder, 'data'),
    // As root the sandbox cannot start.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    // With shared graphics buffers some windows stay black on a busy machine.
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  };
  return {
    start: (command: string, args: string[], more: NodeJS.ProcessEnv = {}) =>
      start(command, args, { ...env, ...more }),
    async close() {
      for (const child of processes.toReversed()) child.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * WebDriver sessions are private windows without an HTTP cache. This one has a cache, and injects scripts through the
 * remote inspector.
 */
async function openWebKitWithCache(url: string): Promise<PageHandle> {
  const window = await startWindow();
  const address = `127.0.0.1:${await freePorts()}`;
  window.start(BROWSER, ['--ignore-tls-errors', url], { WEBKIT_INSPECTOR_HTTP_SERVER: address });
  const path = await until(async () => {
    const found = /socket\/[\w/]+/.exec(await (await fetch(`http://${address}/`)).text())?.[0];
    if (found === undefined) throw new Error('The inspector has no page yet.');
    return found;
  });
  const socket = new WebSocket(`ws://${address}/${path}`);
  let target: string | undefined;
  let calls = 0;
  const answers = new Map<number, (result: InspectorResult) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as {
      method?: string;
      params: { targetInfo?: { targetId: string }; newTargetId?: string; message: string };
    };
    if (method === 'Target.targetCreated') target = params.targetInfo?.targetId;
    if (method === 'Target.didCommitProvisionalTarget') target = params.newTargetId;
    if (method !== 'Target.dispatchMessageFromTarget') return;
    const { id, result } = JSON.parse(params.message) as { id?: number; result: never };
    if (id !== undefined) answers.get(id)?.(result);
  });
  const send = (method: string, params: object) => {
    const id = (calls += 1);
    const message = JSON.stringify({ id, method, params });
    return new Promise<InspectorResult>((resolve) => {
      answers.set(id, resolve);
      const call = { id, method: 'Target.sendMessageToTarget', params: { targetId: target, message } };
      socket.send(JSON.stringify(call));
    });
  };
  await until(() => target !== undefined);
  return {
    async evaluate(task, ...args) {
      const expression = `(${task.toString()})(...${JSON.stringify(args)})`;
      const { result, wasThrown } = await send('Runtime.evaluate', { expression, returnByValue: true });
      if (wasThrown) throw new Error(`The page threw on ${expression}: ${JSON.stringify(result)}`);
      return result.value as never;
    },
    async close() {
      socket.close();
      await window.close();
    },
  };
}

async function openWebKit(profile: Profile = {}): Promise<Tab> {
  const window = await startWindow();
  const port = await freePorts();
  window.start(DRIVER, [`--port=${port}`]);
  const base = `http://127.0.0.1:${port}`;
  const remote: Remote = {
    async call<Result>(method: string, path: string, body?: object) {
      const answer = await fetch(base + path, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
        // Sometimes a call during a navigation is never answered; the callers repeat it.
        signal: AbortSignal.timeout(50_000),
      });
      const { value } = (await answer.json()) as { value: Result & { error?: string; message?: string } };
      if (!answer.ok) throw new Error(`${method} ${path}: ${String(value.error)}: ${String(value.message)}`);
      return value;
    },
  };
  await until(() => remote.call('GET', '/status'));
  const { sessionId } = await remote.call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        acceptInsecureCerts: true,
        timeouts: { pageLoad: 120_000, script: 120_000 },
        'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', ...launchArguments(profile)] },
      },
    },
  });
  const session: Remote = {
    call: (method, path, body) => remote.call(method, `/session/${sessionId}${path}`, body),
  };
  const tab: Tab = {
    ...createTab(session),
    async close() {
      await session.call('DELETE', '').catch(() => undefined);
      await window.close();
    },
  };
  await tab.resize(profile.width ?? 1280, profile.height ?? 900);
  // Without a window manager, the window does not get the focus.
  window.start(XDOTOOL, ['search', '--sync', '--onlyvisible', '--class', 'MiniBrowser', 'windowfocus']);
  return tab;
}

/** Starts an X server on a display that it selects itself. @returns its name, such as `:3`. */
async function startDisplay(
  start: (command: string, args: string[], env: NodeJS.ProcessEnv, stdio: 'pipe') => ChildProcess,
): Promise<string> {
  const server = start(
    XVFB,
    ['-displayfd', '3', '-screen', '0', '1600x4000x24', '-nolisten', 'tcp'],
    process.env,
    'pipe',
  );
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`Xvfb exited with ${String(code)}.`)));
    server.stdio[3]?.once('data', (chunk: Buffer) => resolve(`:${chunk.toString().trim()}`));
  });
}

function launchArguments({ dark, javaScript, cookies, storage }: Profile): string[] {
  return [
    ...(dark ? ['--dark-mode'] : []),
    ...(javaScript === false ? ['--enable-javascript=FALSE'] : []),
    ...(cookies === false ? ['--cookies-policy=never'] : []),
    ...(storage === false ? ['--enable-html5-local-storage=FALSE'] : []),
  ];
}

function createTab({ call }: Remote): Omit<Tab, 'close'> {
  const evaluate: Tab['evaluate'] = async (task, ...args) => {
    const script = `
      const args = [...arguments];
      const done = args.pop();
      Promise.resolve().then(() => (${task.toString()})(...args))
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await call<{ value?: unknown; error?: string }>('POST', '/execute/async', {
      script,
      args,
    });
    if (error !== undefined) throw new Error(error);
    return value as never;
  };
  const actions = (keys: { type: 'keyDown' | 'keyUp'; value: string }[]) =>
    call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions: keys }] });
  const keyCode = (key: string) => keyCodes[key] ?? key;
  return {
    goto: async (url) => void (await call('POST', '/url', { url })),
    back: async () => void (await call('POST', '/back', {})),
    forward: async () => void (await call('POST', '/forward', {})),
    reload: async () => void (await call('POST', '/refresh', {})),
    evaluate,
    click: (selector) =>
      // Retries while an element moves or is covered.
      until(async () => {
        const found = await call<object[]>('POST', '/elements', { using: 'css selector', value: selector });
        for (const element of found) {
          const id = String(Object.values(element)[0]);
          if (await call('GET', `/element/${id}/displayed`)) {
            // The driver does not scroll to an element just below the window.
            const script = "arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' })";
            await call('POST', '/execute/sync', { script, args: [element] });
            await call('POST', `/element/${id}/click`, {});
            return;
          }
        }
        throw new Error(`No visible element matches ${selector}.`);
      }),
    async type(text) {
      await actions(
        Array.from(text).flatMap((value) => [
          { type: 'keyDown' as const, value },
          { type: 'keyUp' as const, value },
        ]),
      );
    },
    async press(key: Key) {
      const keys = key.split('+').map(keyCode);
      await actions([
        ...keys.map((value) => ({ type: 'keyDown' as const, value })),
        ...keys.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
      ]);
    },
    async resize(width, height) {
      // The window has a toolbar: corrects the height by the remaining viewport.
      await call('POST', '/window/rect', { width, height });
      await until(async () => {
        const inner = await evaluate(() => ({ width: innerWidth, height: innerHeight }));
        if (inner.width === width && inner.height === height) return;
        const rect = await call<{ width: number; height: number }>('GET', '/window/rect');
        await call('POST', '/window/rect', {
          width: rect.width + width - inner.width,
          height: rect.height + height - inner.height,
        });
        throw new Error(`The window has ${inner.width} × ${inner.height} instead of ${width} × ${height}.`);
      });
    },
    screenshot: async () => Buffer.from(await call<string>('GET', '/screenshot'), 'base64'),
  };
}
