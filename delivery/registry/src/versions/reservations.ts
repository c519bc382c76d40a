import { isReserved, patternsOverlap, type VersionManifest } from '@site/contract';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';
import { listOwnedApps } from './app.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findManifests } from './manifest.repository.ts';
import type { AppSet } from './app-set.ts';
import { manifestPaths } from './path-claims.ts';
import { allows } from '../kernel/scopes.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Actor } from '../kernel/actor.ts';

export interface ToReserve {
  app: OwnedApp;
  added: string[];
}

/**
 * When ops publish, free paths are reserved implicitly.
 * @returns the new reservations, or null.
 * @throws ApiError `app_unregistered`, `path_reserved`, `form_recipient_foreign`.
 */
export async function checkReserved(
  db: RegistryDb,
  { scopes }: Pick<Actor, 'scopes'>,
  manifest: VersionManifest,
): Promise<ToReserve | null> {
  const { app } = manifest;
  const claims = manifestPaths(manifest);
  const apps = await listOwnedApps(db);
  const known = apps.find((one) => one.app === app);
  const mayReserve = allows(scopes, 'ops');
  if (!known && !mayReserve) {
    throw registryErrors.app_unregistered(
      `${app} is not registered. Ask ops for: npx @site/cli app create ${app} --owner ` +
        `${manifest.owner} --paths ${shellWords(claims)}.`,
      { source: { pointer: '/app' } },
    );
  }
  if (known && !mayReserve) refuseForeignRecipients(manifest, known.owner);
  const [taken] = reservedForOthers(app, claims, apps);
  if (taken) throw pathReserved(app, taken);
  const added = outside(claims, known?.paths ?? []);
  if (known && added.length > 0 && !mayReserve) {
    throw registryErrors.path_reserved(
      `${app} claims ${added.map((path) => `"${path}"`).join(', ')}, but ` +
        (known.paths.length === 0
          ? 'no path is '
          : `only ${known.paths.join(', ')} ${known.paths.length === 1 ? 'is' : 'are'} `) +
        `reserved for it. Use these, or ask ops for: npx @site/cli app reserve ${app} --paths ` +
        `${shellWords([...known.paths, ...added])} --reason "…".`,
      { source: { pointer: '/pages' } },
    );
  }
  if (known && added.length === 0) return null;
  const paths = [...(known?.paths ?? []), ...added];
  return { app: { app, owner: known?.owner ?? manifest.owner, paths }, added };
}

/** Otherwise a team could send emails in its own words to another team. */
function refuseForeignRecipients(manifest: VersionManifest, owner: string): void {
  const { declaredForms = [] } = manifest.kind === 'remote' ? manifest : {};
  const foreign = declaredForms.find(({ tell }) => tell !== owner);
  if (foreign)
    throw registryErrors.form_recipient_foreign(
      `The form "${foreign.id}" notifies the team "${foreign.tell}", but ${manifest.app} belongs to "${owner}".`,
      { source: { pointer: '/declaredForms' } },
    );
}

/**
 * A path may have been reassigned since the versions were published.
 * @throws ApiError `path_reserved`.
 */
export async function refuseReserved(db: RegistryDb, versions: AppSet): Promise<void> {
  const apps = await listOwnedApps(db);
  const manifests = await findManifests(db, Object.entries(versions));
  for (const manifest of manifests.values()) {
    const [taken] = reservedForOthers(manifest.app, manifestPaths(manifest), apps);
    if (taken) throw pathReserved(manifest.app, taken);
  }
}

export function pathReserved(app: string, { wanted, pattern, owner }: Reserved) {
  return registryErrors.path_reserved(
    `${app} wants "${wanted}", which is reserved for ${owner.app} of the team ${owner.owner} ("${pattern}").`,
  );
}

function shellWords(paths: readonly string[]): string {
  return paths.map((path) => (/[*]/.test(path) ? `'${path}'` : path)).join(' ') || '…';
}

export interface Reserved {
  wanted: string;
  pattern: string;
  owner: OwnedApp;
}

export function reservedForOthers(
  app: string,
  claims: readonly string[],
  apps: readonly OwnedApp[],
): Reserved[] {
  return amongOthers(app, claims, apps, (pattern, path) => isReserved([pattern], path));
}

export function overlapping({ app, paths }: OwnedApp, apps: readonly OwnedApp[]): Reserved[] {
  return amongOthers(app, paths, apps, patternsOverlap);
}

function amongOthers(
  app: string,
  wanted: readonly string[],
  apps: readonly OwnedApp[],
  isMeant: (pattern: string, wanted: string) => boolean,
): Reserved[] {
  const others = apps.filter((other) => other.app !== app);
  return wanted.flatMap((one) =>
    others.flatMap((owner) => {
      const pattern = owner.paths.find((kept) => isMeant(kept, one));
      return pattern === undefined ? [] : [{ wanted: one, pattern, owner }];
    }),
  );
}

export function outside(claims: readonly string[], paths: readonly string[]): string[] {
  return claims.filter((claim) => !isReserved(paths, claim));
}
