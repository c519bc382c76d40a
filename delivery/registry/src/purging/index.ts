export { type Cache, readCaches } from './caches.ts';
export { keepPurging } from './purge-job.ts';
