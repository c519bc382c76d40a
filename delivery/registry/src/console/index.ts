export { registryDescription } from './api-description.ts';
export { CONSOLE_DIR, compressForConsole, consoleFiles } from './console-files.ts';
export { consoleRoutes } from './console.routes.ts';
export { type RegistryMetrics, createRegistryMetrics } from './registry-metrics.ts';
export { viewRoutes } from './view.routes.ts';
