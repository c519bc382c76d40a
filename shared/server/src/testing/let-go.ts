import type { ChildProcess } from 'node:child_process';

/** Lets this process end although the child and its pipes are still there. */
export function letGo(child: ChildProcess): void {
  child.unref();
  // The pipes of a child are sockets, whatever their type says.
  for (const stream of child.stdio) (stream as { unref?: () => void } | null | undefined)?.unref?.();
}

const ending = new Map<ChildProcess, NodeJS.Signals>();
process.once('exit', () => ending.forEach((signal, child) => child.kill(signal)));

/** The child ends with this process: a test that fails may not have ended it. */
export function endWithThisProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  ending.set(child, signal);
  child.once('exit', () => ending.delete(child));
}
