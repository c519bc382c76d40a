/** What went wrong: uncaught, as the event says it, or in a part of the site. */
export type Noticed =
  | ErrorEvent
  | PromiseRejectionEvent
  | readonly ['load' | 'render' | 'hydration', app: string, error: unknown];

/**
 * Keeps what happens until the script comes that tells the edge of it (`start-signals.ts`) and puts itself in place of `push`. Where
 * it never comes, because the visitor does not want that, this goes nowhere: some is enough, for a page that throws all the time
 * does so until it is left.
 */
export function keepNoticed(): Noticed[] {
  const kept: Noticed[] = [];
  for (const type of ['error', 'unhandledrejection'] as const)
    addEventListener(type, (event) => kept.length < 20 && kept.push(event));
  return kept;
}
