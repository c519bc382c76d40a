/** The variables that a command was called with. Only `main.ts` reads those of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;
