import type { ChildProcess } from 'node:child_process';

/** Lets this process end although the child and its pipes are still there. */
export function letGo(child: ChildProcess): void {
  child.unref();
  // The pipes of a child are sockets, whatever their type says.
  for (const stream of child.stdio) (stream as { unref?: () => void } | null | undefined)?.unref?.();
}
