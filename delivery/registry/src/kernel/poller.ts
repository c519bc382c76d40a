const LOOK_EVERY_MS = 2_000;

/** @returns a function that stops it after the current run. */
export type Poller = (look: () => Promise<void>, onProblem: (error: unknown) => void) => () => Promise<void>;

/** The delay starts when the previous run ends. */
export const everyTwoSeconds: Poller = (look, onProblem) => {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  let isOver = false;
  const later = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      running = look().catch(onProblem).then(later);
    }, LOOK_EVERY_MS);
    timer.unref();
  };
  later();
  return () => {
    isOver = true;
    clearTimeout(timer);
    return running;
  };
};
