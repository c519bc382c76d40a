import { sql, type Selectable } from 'kysely';
import type { VersionManifest } from '@site/contract';
import type { AppSet } from '../versions/index.ts';
import { jsonRows, versionRows } from '../kernel/json-rows.ts';
import type { PageWeight, RegistryDb, RegistryTables, RegistryTransaction } from '../kernel/tables.ts';

/** The key fields that all pages of a release share. */
export interface RenderContext {
  shellVersion: string;
  configDigest: string;
}

export interface RenderedEntry {
  app: string;
  path: string;
  variantKey: string;
  integrity: string;
  pack: string | null;
  weight: PageWeight | null;
}

/** `weight` is null unless requested. */
export async function findRendered(
  db: RegistryDb,
  { shellVersion, configDigest }: RenderContext,
  remotes: AppSet,
  { withWeights = false }: { withWeights?: boolean } = {},
): Promise<RenderedEntry[]> {
  const pairs = Object.entries(remotes);
  if (pairs.length === 0) return [];
  const { rows } = await sql<RenderedEntry>`
    select pages.app, path, variant_key as "variantKey", integrity, pages.pack,
      ${withWeights ? sql`weight` : sql`null`} as weight
    from ${versionRows(pairs)} join registry.rendered_pages as pages
      on pages.app = wanted.app and pages.app_version = wanted.version
    where shell_version = ${shellVersion} and config_digest = ${configDigest}
  `.execute(db);
  return rows;
}

export interface PagesOfVersion extends RenderContext {
  version: string;
  entries: readonly RenderedEntry[];
}

/** A page rendered concurrently is kept, unless its file is `lost`. */
export async function insertRendered(
  db: RegistryDb,
  { shellVersion, configDigest, version, entries }: PagesOfVersion,
  { lost, at }: { lost: ReadonlySet<string>; at: Date },
): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('rendered_pages')
    .values(
      entries.map(({ app, path, variantKey, integrity, pack, weight }) => ({
        shell_version: shellVersion,
        app,
        app_version: version,
        config_digest: configDigest,
        path,
        variant_key: variantKey,
        integrity,
        rendered_at: at,
        pack,
        weight: weight && JSON.stringify(weight),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['shell_version', 'app', 'app_version', 'config_digest', 'path', 'variant_key'])
        .doUpdateSet(({ ref }) => ({
          integrity: ref('excluded.integrity'),
          rendered_at: at,
          pack: ref('excluded.pack'),
          weight: ref('excluded.weight'),
        }))
        // SQL does not allow "in ()".
        .where('rendered_pages.integrity', 'in', [...lost, '']),
    )
    .execute();
}

export async function noteWeights(
  db: RegistryDb,
  { shellVersion, configDigest }: RenderContext,
  remotes: AppSet,
  entries: readonly RenderedEntry[],
): Promise<void> {
  const weighed = entries.map(({ app, path, variantKey, integrity, weight }) => ({
    ...{ app, version: remotes[app], path, variant_key: variantKey, integrity, weight },
  }));
  if (weighed.length === 0) return;
  // A single parameter for many pages.
  await sql`
    update registry.rendered_pages as pages set weight = weighed.weight
    from jsonb_to_recordset(${JSON.stringify(weighed)}::jsonb)
      as weighed (app text, version text, path text, variant_key text, integrity text, weight jsonb)
    where pages.shell_version = ${shellVersion} and pages.config_digest = ${configDigest}
      and pages.app = weighed.app and pages.app_version = weighed.version and pages.path = weighed.path
      and pages.variant_key = weighed.variant_key and pages.integrity = weighed.integrity
  `.execute(db);
}

/** Deletes the pages of a version's name: older registries indexed renderings of failed publishes, which may differ. */
export async function forgetRendered(
  transaction: RegistryTransaction,
  { kind, app, version }: VersionName,
): Promise<void> {
  const pages = transaction.deleteFrom('rendered_pages');
  await (
    kind === 'shell'
      ? pages.where('shell_version', '=', version)
      : pages.where('app', '=', app).where('app_version', '=', version)
  ).execute();
}

type VersionName = Pick<VersionManifest, 'kind' | 'app' | 'version'>;

type IndexedPage = Omit<Selectable<RegistryTables['rendered_pages']>, 'weight'>;

export function pagesOfVersion(db: RegistryDb, { kind, app, version }: VersionName): Promise<IndexedPage[]> {
  const pages = db
    .selectFrom('rendered_pages')
    .select(['shell_version', 'app', 'app_version', 'config_digest', 'path', 'variant_key'])
    .select(['integrity', 'pack', 'rendered_at']);
  return (
    kind === 'shell'
      ? pages.where('shell_version', '=', version)
      : pages.where('app', '=', app).where('app_version', '=', version)
  ).execute();
}

export async function forgetPages(db: RegistryDb, pages: readonly IndexedPage[]): Promise<void> {
  if (pages.length === 0) return;
  await sql`
    delete from registry.rendered_pages as pages
    using jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as lost (shell_version text, app text,
      app_version text, config_digest text, path text, variant_key text, rendered_at timestamptz)
    where pages.shell_version = lost.shell_version and pages.app = lost.app
      and pages.app_version = lost.app_version and pages.config_digest = lost.config_digest
      and pages.path = lost.path and pages.variant_key = lost.variant_key
      and pages.rendered_at = lost.rendered_at
  `.execute(db);
}

/** In a deterministic order. */
export async function pagesInPack(db: RegistryDb, pack: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rendered_pages')
    .select('integrity')
    .where('pack', '=', pack)
    .orderBy('path')
    .orderBy('variant_key')
    .execute();
  return [...new Set(rows.map(({ integrity }) => integrity))];
}

export async function replacePack(
  db: RegistryDb,
  lost: string,
  made: { integrity: string; holds: ReadonlySet<string> } | null,
): Promise<void> {
  const held = jsonRows([...(made?.holds ?? [])]);
  await db
    .updateTable('rendered_pages')
    .set({
      pack: sql<
        string | null
      >`case when integrity in (select value from ${held}) then ${made?.integrity ?? null}::text end`,
    })
    .where('pack', '=', lost)
    .execute();
}
