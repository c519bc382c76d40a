export {
  type AppSet,
  type LiveSet,
  appChanges,
  applyChanges,
  changedApps,
  leaveOut,
  retire,
  toLiveSet,
  withApp,
} from './app-set.ts';
export { listOwnedApps, saveApp } from './app.repository.ts';
export { blobRoutes } from './blob.routes.ts';
export { type BudgetCheck, checkBudgets } from './check-budgets.ts';
export { checkActivatedForms, checkPublishedForms, refuseUndeclaredForms } from './check-forms.ts';
export { compressInBackground } from './compress-in-background.ts';
export { type AskFormContracts, askFormContracts } from './forms-service.ts';
export { type LiveSpan, earlierVersions } from './last-good.ts';
export { type RegistryLimits, defaultLimits, refuseOverQuota } from './limits.ts';
export { manifestProblems } from './manifest-problems.ts';
export { findManifests, findTableManifests, readIntegrities, readManifests } from './manifest.repository.ts';
export { packFiles, putPack } from './pack-files.ts';
export {
  conflictsWith,
  conflictsWithin,
  haveSameRoutes,
  indexOwners,
  manifestPaths,
  pathConflicts,
  redirectLoop,
} from './path-claims.ts';
export {
  insertAssets,
  insertVersion,
  makeNewest,
  recordBlobs,
  restoreVersion,
} from './publishing.repository.ts';
export { describeUnmetRange, isExactVersion, unmetRanges } from './ranges.ts';
export { type ToReserve, checkReserved, overlapping, pathReserved, refuseReserved } from './reservations.ts';
export { type BuiltPlace, type FindSources, createFindSources } from './source-places.ts';
export {
  type NewestVersion,
  type VersionPair,
  findAsset,
  findCollected,
  findPacks,
  findPrivateBlobs,
  findProvenances,
  findSequence,
  findSourceMaps,
  findVersion,
  hasApp,
  listApps,
  listUsage,
  listVersions,
  versionName,
  wasReleased,
} from './version.repository.ts';
