/**
 * Fast Refresh: React replaces changed components and keeps their state. In the browser, in development only:
 * `dev-tsx-loader.ts` adds the calls to every module with components.
 * @see https://github.com/facebook/react/tree/main/packages/react-refresh
 */
import * as ownRuntime from 'react-refresh/runtime';

interface HotModule {
  id: string | number;
  exports: Record<string, unknown>;
  hot?: {
    data?: { exported?: string };
    accept(): void;
    dispose(leave: (data: { exported?: string }) => void): void;
    invalidate(): void;
  };
}

/** The hook that React calls at startup. */
interface DevToolsHook {
  inject(react: { scheduleRefresh?: unknown }): unknown;
}

/** Shared by shell and remotes, which are separate builds on one page. */
interface PageRefresh {
  runtime: typeof ownRuntime;
  canRefresh: boolean;
}

const key = Symbol.for('site.react-refresh');
const globals = globalThis as { [key]?: PageRefresh; __REACT_DEVTOOLS_GLOBAL_HOOK__?: DevToolsHook };
const page = (globals[key] ??= install());
const { runtime } = page;

/** Must run before React, which looks for the hook at startup. */
function install(): PageRefresh {
  ownRuntime.injectIntoGlobalHook(globalThis);
  const installed = { runtime: ownRuntime, canRefresh: false };
  const hook = globals.__REACT_DEVTOOLS_GLOBAL_HOOK__;
  const inject = hook?.inject.bind(hook);
  if (hook && inject)
    hook.inject = (react) => {
      installed.canRefresh ||= typeof react.scheduleRefresh === 'function';
      return inject(react);
    };
  return installed;
}

export const register = runtime.register;

export const signature = runtime.createSignatureFunctionForTransform;

/**
 * Called at the end of a module with components. A module that exports only components is replaced alone;
 * otherwise its importers are replaced too.
 */
export function settle({ id, exports, hot }: HotModule, app: string): void {
  if (!hot) return;
  const names = Object.keys(exports);
  const isComponent = (name: string) => runtime.isLikelyComponentType(exports[name]);
  for (const name of names) if (isComponent(name)) register(exports[name], `${app} ${id} exports ${name}`);
  const exported = names.length > 0 && names.every(isComponent) ? names.join() : '';

  const before = hot.data?.exported;
  // Importers may use a removed export, or one that is not a component.
  if (before !== undefined && before !== exported) hot.invalidate();
  else if (before !== undefined) refreshSoon();
  if (exported === '') return;
  hot.accept();
  hot.dispose((data) => {
    data.exported = exported;
  });
}

let isDue = false;

/** Once for all modules of an update. */
function refreshSoon(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    if (page.canRefresh) runtime.performReactRefresh();
    else location.reload();
  });
}
