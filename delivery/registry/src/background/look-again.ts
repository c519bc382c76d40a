const LOOK_EVERY_MS = 2_000;

/** Lets a registry look at its releases again and again. @returns a function that ends this, after the look under way. */
export type LookAgain = (
  look: () => Promise<void>,
  onProblem: (error: unknown) => void,
) => () => Promise<void>;

/** Each look begins some time after the one before has ended. */
export const everyTwoSeconds: LookAgain = (look, onProblem) => {
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
