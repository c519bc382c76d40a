import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registryDescription } from '@site/registry/http/api-description';
import { openApiDocument } from '@site/server/openapi';
import { openMemoryDatabase } from '@site/server/testing/memory-database';
import { runScenario } from './scenario.ts';

/**
 * Keeps what this version's command line, edge and registry say to each other, for the next version to be held against.
 * Run it when a version goes out: `node tests/contract/record.ts`.
 */
const folder = join(import.meta.dirname, 'former');
const database = await openMemoryDatabase();
await writeFile(join(folder, 'exchanges.json'), `${JSON.stringify(await runScenario(database))}\n`);
await database.close();
await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(openApiDocument(registryDescription))}\n`);
