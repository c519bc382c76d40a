import type { ChildProcess } from 'node:child_process';

/** Lets this process exit although the child and its pipes are open. */
export function letGo(child: ChildProcess): void {
  child.unref();
  // A child's pipes are sockets, despite their type.
  for (const stream of child.stdio) (stream as { unref?: () => void } | null | undefined)?.unref?.();
}

const ending = new Map<ChildProcess, NodeJS.Signals>();
process.once('exit', () => ending.forEach((signal, child) => child.kill(signal)));

/** Ends the child with this process, because a failing test may not have ended it. */
export function endWithThisProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  ending.set(child, signal);
  child.once('exit', () => ending.delete(child));
}
