import { allows, requireScope } from './scopes.ts';
import type { Actor } from './actor.ts';

type Scopes = Pick<Actor, 'scopes'>;

/**
 * The apps that a token has full access to; null for all. For other apps it sees only public and release data: what is
 * live, since when, by whom and why, and freezes.
 */
export function visibleApps({ scopes }: Scopes): ReadonlySet<string> | null {
  if (allows(scopes, 'read')) return null;
  return new Set(scopes.flatMap((scope) => /^(?:publish|activate):(.+)$/.exec(scope)?.[1] ?? []));
}

export function sees(actor: Scopes, app: string): boolean {
  return visibleApps(actor)?.has(app) ?? true;
}

export function requireSight(actor: Actor, app: string): void {
  requireScope(actor, 'read', `publish:${app}`, `activate:${app}`);
}

export async function filterVisible<Row>(
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

export async function newestOfVisible<Row>(
  actor: Actor,
  { app, limit }: { app?: string | undefined; limit: number },
  read: (app: string | undefined) => Promise<Row[]>,
  at: (row: Row) => Date | string,
): Promise<Row[]> {
  const rows = await filterVisible(actor, app, read);
  const time = (row: Row) => new Date(at(row)).getTime();
  return rows.toSorted((a, b) => time(b) - time(a)).slice(0, limit);
}
