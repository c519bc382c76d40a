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
  for await (const file of files) {
    if (file.header.name === 'package/package.json') {
      const read = v.safeParse(PackageManifestSchema, await json(file));
      if (read.success) return read.output;
      const [issue] = read.issues;
      throw new Error(`${v.getDotPath(issue) ?? 'package.json'}: ${issue.message}`);
    }
    file.resume();
  }
  throw new Error('It contains no package/package.json.');
}
