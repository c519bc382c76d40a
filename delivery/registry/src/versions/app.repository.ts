import type { OwnedApp } from '@site/contract/registry-calls/app.calls';
import type { RegistryDb } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export async function listOwnedApps(db: RegistryDb): Promise<OwnedApp[]> {
  return db.selectFrom('apps').select(['app', 'owner', 'paths']).orderBy('app').execute();
}

export async function saveApp(
  { transaction, by, at }: ChangeContext,
  { app, owner, paths }: OwnedApp,
): Promise<void> {
  const changing = { owner, paths: JSON.stringify(paths) };
  await transaction
    .insertInto('apps')
    .values({ app, ...changing, by, at })
    .onConflict((conflict) => conflict.column('app').doUpdateSet(changing))
    .execute();
}
