import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devCache } from './dev-config.ts';

test("a copy of the folder does not use the dev server's cache, which contains absolute paths", async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'site-cache-'));
  try {
    const [here, there, link] = ['here', 'there', 'link'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(here);
    await cp(here, there, { recursive: true });
    await symlink(here, link);
    const versionIn = (folder: string) => {
      const cache = devCache({ name: 'mfe-test', folder });
      return typeof cache === 'object' && 'version' in cache ? cache.version : undefined;
    };
    expect(versionIn(here)).toMatch(/^[0-9a-f]{64} /);
    expect(versionIn(link)).toBe(versionIn(here));
    expect(versionIn(there)).not.toBe(versionIn(here));
  } finally {
    await rm(scratch, { recursive: true });
  }
});
