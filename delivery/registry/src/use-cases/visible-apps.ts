import { allows } from '../domain/scopes.ts';
import type { Actor } from '../access/actor.ts';
import { requireScope } from '../access/require-scope.ts';

type Scopes = Pick<Actor, 'scopes'>;

/**
 * The apps that a token is told everything about: all of them with `ops` or `read`, else those that it may publish or activate. About the
 * others it is told what visitors and everyone who releases must know: what is live, since when, by whom and why, and what is frozen.
 *
 * @returns null for all.
 */
export function visibleApps({ scopes }: Scopes): ReadonlySet<string> | null {
  if (allows(scopes, 'read')) return null;
  return new Set(scopes.flatMap((scope) => /^(?:publish|activate):(.+)$/.exec(scope)?.[1] ?? []));
}

/** Whether the token is told everything about an app. */
export function sees(actor: Scopes, app: string): boolean {
  return visibleApps(actor)?.has(app) ?? true;
}

/** @throws ApiError `scope_missing` unless the token is told everything about the app. */
export function requireSight(actor: Actor, app: string): void {
  requireScope(actor, 'read', `publish:${app}`, `activate:${app}`);
}

/**
 * Reads rows of one app when one is asked for, else those of all apps that the token may see.
 *
 * @param read asked for one app, or for all at once.
 * @throws ApiError `scope_missing` for another app.
 */
export async function ofVisible<Row>(
  actor: Actor,
  app: string | undefined,
  read: (app: string | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const own = visibleApps(actor);
  if (own === null) return read(app);
  if (app !== undefined) {
    requireSight(actor, app);
    return read(app);
  }
  const rows: Row[] = [];
  for (const one of own) rows.push(...(await read(one)));
  return rows;
}

/** The same of the newest rows, at most as many as of one app. */
export async function newestOfVisible<Row>(
  actor: Actor,
  { app, limit }: { app?: string | undefined; limit: number },
  read: (app: string | undefined) => Promise<Row[]>,
  at: (row: Row) => Date | string,
): Promise<Row[]> {
  const rows = await ofVisible(actor, app, read);
  const time = (row: Row) => new Date(at(row)).getTime();
  return rows.toSorted((a, b) => time(b) - time(a)).slice(0, limit);
}
