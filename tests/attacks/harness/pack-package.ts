import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { computeIntegrity } from '@site/contract/integrity';
import type { RemoteManifest } from '@site/contract';
import { sampleRemote } from '../../delivery/harness/sample-apps.ts';
import { writeBuild } from '../../delivery/harness/write-build.ts';

interface PackageFile {
  name: string;
  site: {
    /** The paths of its pages. The module of `/a/b` is `./a-b-page`. */
    paths: string[];
    /** Overrides of the manifest. */
    manifest?: Partial<RemoteManifest>;
  };
}

const SOURCE_MAPS = 'source-maps.gz';

/**
 * Writes a package's build into the checkout. A package is a folder with a `package.json`, a `server.js` (its
 * server bundle; default: harmless pages), `source-maps.gz` and, in `browser/`, more files to serve.
 * @returns the app's name.
 */
export async function packPackage(folder: string, checkout: string): Promise<string> {
  const { name, site } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageFile;
  const server = await readFile(join(folder, 'server.js'), 'utf8').catch(() => undefined);
  const version = sampleRemote(name, site.paths, 'hostile', server === undefined ? {} : { server });
  const entries = await readdir(join(folder, 'browser'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    const integrity = computeIntegrity(bytes);
    const path = file.slice(join(folder, 'browser').length + 1);
    version.files.push({ bytes, integrity });
    version.manifest.assets.push({ path, size: bytes.length, integrity });
  }
  const maps = await readFile(join(folder, SOURCE_MAPS)).catch(() => null);
  if (maps) {
    const sourceMaps = { path: SOURCE_MAPS, size: maps.length, integrity: computeIntegrity(maps) };
    version.files.push({ bytes: maps, integrity: sourceMaps.integrity });
    Object.assign(version.manifest, { sourceMaps });
  }
  Object.assign(version.manifest, site.manifest);
  await writeBuild(checkout, version);
  return name;
}
