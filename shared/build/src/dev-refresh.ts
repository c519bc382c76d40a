/**
 * What makes React take over a changed component with its state kept (Fast Refresh). In the browser, in development only:
 * `dev-tsx-loader.ts` has every module with components call it.
 *
 * @see https://github.com/facebook/react/tree/main/packages/react-refresh
 */
import * as ownRuntime from 'react-refresh/runtime';

/** webpack's `module`, as far as it is used here. */
interface HotModule {
  id: string | number;
  exports: Record<string, unknown>;
  hot?: {
    /** What the module's former self has left; undefined when the page has just been opened. */
    data?: { exported?: string };
    accept(): void;
    dispose(leave: (data: { exported?: string }) => void): void;
    invalidate(): void;
  };
}

/** What React tells of itself when it starts. */
interface DevToolsHook {
  inject(react: { scheduleRefresh?: unknown }): unknown;
}

/** One for shell and remotes: they are builds of their own, but a component that changes in one is on a page of all. */
interface PageRefresh {
  runtime: typeof ownRuntime;
  /** Whether React can exchange components: the one that visitors get cannot. */
  canRefresh: boolean;
}

const key = Symbol.for('site.react-refresh');
const globals = globalThis as { [key]?: PageRefresh; __REACT_DEVTOOLS_GLOBAL_HOOK__?: DevToolsHook };
const page = (globals[key] ??= install());
const { runtime } = page;

/** The shell has it before it has React, which looks for it when it starts. */
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

/** For the compiler's calls `$RefreshReg$`: a component, and its name, which no other app's component has. */
export const register = runtime.register;

/** For the compiler's calls `$RefreshSig$`: the hooks that a component uses. State is kept while they stay the same. */
export const signature = runtime.createSignatureFunctionForTransform;

/**
 * The last call of a module with components. One that exports nothing else is exchanged alone; after a change of another,
 * those that import it are.
 */
export function settle({ id, exports, hot }: HotModule, app: string): void {
  if (!hot) return;
  const names = Object.keys(exports);
  const isComponent = (name: string) => runtime.isLikelyComponentType(exports[name]);
  for (const name of names) if (isComponent(name)) register(exports[name], `${app} ${id} exports ${name}`);
  const exported = names.length > 0 && names.every(isComponent) ? names.join() : '';

  const before = hot.data?.exported;
  // Importers may use an export that is gone, or one that is not a component.
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
