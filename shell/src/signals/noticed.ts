/** An error: uncaught, as its event, or from a part of the site. */
export type Noticed =
  | ErrorEvent
  | PromiseRejectionEvent
  | readonly ['load' | 'render' | 'hydration' | 'foreign', app: string, error: unknown];

/**
 * Collects errors until the reporting script (`start-signals.ts`) loads and replaces `push`. The script may never load,
 * because the visitor can opt out. The number is limited, because a page can throw continuously.
 */
export function keepNoticed(): Noticed[] {
  const kept: Noticed[] = [];
  for (const type of ['error', 'unhandledrejection'] as const)
    addEventListener(type, (event) => kept.length < 20 && kept.push(event));
  return kept;
}
