import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';
import { endWithThisProcess } from '@site/server/testing/let-go';
import { until } from '../until.ts';
import type { Engine, Key, Profile, Tab } from './engine.ts';

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
};

interface Remote {
  call<Result = unknown>(method: string, path: string, body?: object): Promise<Result>;
}

async function openWebKit(profile: Profile = {}): Promise<Tab> {
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
    // As root the sandbox cannot start.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const port = await freePorts();
  start(DRIVER, [`--port=${port}`], env);
  const base = `http://127.0.0.1:${port}`;
  const remote: Remote = {
    async call<Result>(method: string, path: string, body?: object) {
      const answer = await fetch(base + path, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
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
        'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', ...argumentsOf(profile)] },
      },
    },
  });
  const session: Remote = {
    call: (method, path, body) => remote.call(method, `/session/${sessionId}${path}`, body),
  };
  const tab: Tab = {
    ...tabOf(session),
    async close() {
      await session.call('DELETE', '').catch(() => undefined);
      for (const child of processes.toReversed()) child.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await tab.resize(profile.width ?? 1280, profile.height ?? 900);
  // No window manager gives the window the focus.
  start(XDOTOOL, ['search', '--sync', '--onlyvisible', '--class', 'MiniBrowser', 'windowfocus'], env);
  return tab;
}

/** Starts an X server on a display that it chooses itself. @returns its name, such as `:3`. */
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

function argumentsOf({ dark, javaScript, cookies, storage }: Profile): string[] {
  return [
    ...(dark ? ['--dark-mode'] : []),
    ...(javaScript === false ? ['--enable-javascript=FALSE'] : []),
    ...(cookies === false ? ['--cookies-policy=never'] : []),
    ...(storage === false ? ['--enable-html5-local-storage=FALSE'] : []),
  ];
}

function tabOf({ call }: Remote): Omit<Tab, 'close'> {
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
  const codeOf = (key: string) => keyCodes[key] ?? key;
  return {
    goto: async (url) => void (await call('POST', '/url', { url })),
    back: async () => void (await call('POST', '/back', {})),
    forward: async () => void (await call('POST', '/forward', {})),
    reload: async () => void (await call('POST', '/refresh', {})),
    evaluate,
    click: (selector) =>
      // Again while an element moves or is covered, as a person would wait.
      until(async () => {
        const found = await call<object[]>('POST', '/elements', { using: 'css selector', value: selector });
        for (const element of found) {
          const id = String(Object.values(element)[0]);
          if (await call('GET', `/element/${id}/displayed`)) {
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
      const keys = key.split('+').map(codeOf);
      await actions([
        ...keys.map((value) => ({ type: 'keyDown' as const, value })),
        ...keys.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
      ]);
    },
    async resize(width, height) {
      // The window has a toolbar: correct by what is left for the page.
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
