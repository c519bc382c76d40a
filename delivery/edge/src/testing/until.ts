import { setImmediate } from 'node:timers/promises';

/** Waits, turn by turn of the event loop, until something is so; gives up before the test's own time limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`Waited, but this did not happen: ${isSo.toString()}`);
    await setImmediate();
  }
}
