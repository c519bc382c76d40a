export { packageRoutes, publishRoutes } from './package.routes.ts';
export type { PackageManifest } from './read-tarball.ts';
