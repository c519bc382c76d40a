import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registryDescription } from '@site/registry/console/api-description';
import { openApiDocument } from '@site/server/openapi';
import { openMemoryDatabase } from '@site/server/testing/memory-database';
import { runScenario } from './scenario.ts';

/**
 * Records the exchanges of this version for the tests of the next minor version. Run it for each minor release: `node
 * tests/contract/record.ts`.
 */
const folder = join(import.meta.dirname, 'previous');
const database = await openMemoryDatabase();
await writeFile(join(folder, 'exchanges.json'), `${JSON.stringify(await runScenario(database))}\n`);
await database.close();
await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(openApiDocument(registryDescription))}\n`);
