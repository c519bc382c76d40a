/** A value made on first use and shared by concurrent callers; a failure is tried again at the next call. */
export type OnDemand<T> = () => T | Promise<T>;

/** Makes it with `make`, once somebody asks. */
export function onDemand<T>(make: () => Promise<T>): OnDemand<T> {
  let given: T | Promise<T> | null = null;
  let maker: (() => Promise<T>) | null = make;
  return () => {
    given ??= (maker as () => Promise<T>)().then(
      (made) => {
        // What it was made from is needed no more.
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
