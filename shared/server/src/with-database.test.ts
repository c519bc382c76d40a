import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './open-database.ts';
import { fillDataFolder } from './testing/memory-database.ts';
import { withDatabase } from './with-database.ts';

test('closes the database even if its server cannot be closed, and reports why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-with-database-'));
  const dataDir = join(folder, 'database');
  await fillDataFolder(dataDir);
  const server = {
    url: 'http://127.0.0.1:1',
    port: 1,
    drain: () => undefined,
    close: () => Promise.reject(new Error('It does not close.')),
  };
  const running = await withDatabase({ DATA_DIR: folder }, () => Promise.resolve(server));
  await expect(running.close()).rejects.toThrow('It does not close.');
  const again = await openDatabase({ dataDir });
  await again.close();
  await rm(folder, { recursive: true, force: true });
});
