import { setImmediate } from 'node:timers/promises';

/** Waits, turn by turn of the event loop, until something is so. The test's own time limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate();
}
