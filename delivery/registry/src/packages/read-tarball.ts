import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import * as v from 'valibot';
import { mapSchema } from '@site/contract';
import { isExactVersion } from '../versions/index.ts';

const LARGEST_UNPACKED_BYTES = 64 * 1024 * 1024;

const DependenciesSchema = v.optional(mapSchema(v.string(), v.string()));

/** The fields of `package.json` that an installation needs. */
const PackageManifestSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^@site\/[a-z0-9][a-z0-9-]{0,60}$/, 'The name is "@site/" and a word.')),
  version: v.pipe(v.string(), v.maxLength(60), v.check(isExactVersion, 'The version is not exact.')),
  description: v.optional(v.string()),
  license: v.optional(v.string()),
  type: v.optional(v.string()),
  engines: DependenciesSchema,
  bin: v.optional(v.union([v.string(), mapSchema(v.string(), v.string())])),
  dependencies: DependenciesSchema,
  peerDependencies: DependenciesSchema,
  peerDependenciesMeta: v.optional(mapSchema(v.string(), v.object({ optional: v.optional(v.boolean()) }))),
  optionalDependencies: DependenciesSchema,
});
export type PackageManifest = v.InferOutput<typeof PackageManifestSchema>;

/**
 * The manifest in the tarball itself: a client could announce another one.
 * @throws Error with the tarball's fault.
 */
export async function readTarball(tarball: Buffer): Promise<PackageManifest> {
  const files = extract();
  const unpacked = await promisify(gunzip)(tarball, { maxOutputLength: LARGEST_UNPACKED_BYTES });
  Readable.from([unpacked]).pipe(files);
  let manifest: PackageManifest | null = null;
  for await (const file of files) {
    // Clients drop the first folder, whatever its name, and the last of two files wins.
    const [folder, ...path] = file.header.name.split('/');
    if (folder !== 'package') throw new Error(`It has a file outside of "package/": ${file.header.name}`);
    if (path.join('/') === 'package.json') {
      if (manifest) throw new Error('It contains package/package.json twice.');
      const read = v.safeParse(PackageManifestSchema, await json(file));
      if (!read.success)
        throw new Error(`${v.getDotPath(read.issues[0]) ?? 'package.json'}: ${read.issues[0].message}`);
      manifest = read.output;
    }
    file.resume();
  }
  if (!manifest) throw new Error('It contains no package/package.json.');
  return manifest;
}
