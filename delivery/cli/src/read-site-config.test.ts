import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRAND_EXAMPLE, CONFIG_EXAMPLE, readBrandFile, readSiteConfig } from './read-site-config.ts';

test('a file with a byte order mark is accepted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-bom-'));
  try {
    const file = join(folder, 'site.json');
    await writeFile(file, `\uFEFF${JSON.stringify(BRAND_EXAMPLE)}`);
    expect(readBrandFile(file)).toEqual(BRAND_EXAMPLE);
    await writeFile(file, `\uFEFF${JSON.stringify(CONFIG_EXAMPLE)}`);
    expect(readSiteConfig(file)).toEqual(CONFIG_EXAMPLE);
  } finally {
    await rm(folder, { recursive: true });
  }
});
