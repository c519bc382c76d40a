export { versionRoutes } from './version.routes.ts';
