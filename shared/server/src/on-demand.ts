/** A lazily created value that concurrent callers share; a failure is retried at the next call. */
export type OnDemand<T> = () => T | Promise<T>;

export function onDemand<T>(make: () => Promise<T>): OnDemand<T> {
  let given: T | Promise<T> | null = null;
  let maker: (() => Promise<T>) | null = make;
  return () => {
    given ??= (maker as () => Promise<T>)().then(
      (made) => {
        // Releases the captured inputs.
        maker = null;
        return (given = made);
      },
      (error: unknown) => {
        given = null;
        throw error;
      },
    );
    return given;
  };
}
