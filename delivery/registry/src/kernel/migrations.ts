import type { Migration } from '@site/server/open-database';
import { createRegistry } from './migrations/001-initial.ts';

/** The migrations of the schema `registry`. Released steps are immutable: add a new one. */
export const registryMigrations: Migration[] = [{ name: '001-initial', up: createRegistry }];
