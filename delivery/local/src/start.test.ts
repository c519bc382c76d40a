import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['start.ts', 'dev.ts', 'dev-services.ts'])(
  '%s with an invalid SITE_BRAND prints one sentence without a stack trace',
  async (script) => {
    const file = join(folder, 'brand.json');
    await writeFile(file, '{ "name": 1 }');
    const env = {
      ...process.env,
      PORT: String(await freePorts(5)),
      DATA_DIR: join(folder, script),
      SITE_BRAND: file,
    };
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, script)], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^".*\/brand\.json" is not a brand: name: /);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(status).toBe(1);
  },
);
