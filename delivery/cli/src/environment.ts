/** Only `main.ts` reads the variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;
