import type { Exports, PackageJson } from './workspace.ts';

/** Fields of a `package.json` that are only for this repository. */
const OWN = new Set([
  'private',
  'devDependencies',
  'scripts',
  'publishConfig',
  'exports',
  'bin',
  'dependencies',
]);

/**
 * The published `package.json`: JavaScript instead of sources, and the overrides of `publishConfig`. Types
 * need no condition, because they are next to each file.
 */
export function publishedManifest(source: PackageJson): object {
  const { publishConfig: { exports = source.exports, bin = source.bin } = {}, dependencies } = source;
  return {
    ...Object.fromEntries(Object.entries(source).filter(([key]) => !OWN.has(key))),
    exports: { ...(javascript(exports ?? {}) as object), './package.json': './package.json' },
    ...(bin ? { bin: javascript(bin) } : {}),
    ...(dependencies ? { dependencies } : {}),
  };
}

/** `./src/*.tsx` → `./src/*.js`: the pattern matches all file names. */
function javascript(value: Exports): Exports {
  if (value === null) return null;
  if (typeof value === 'string') return value.replace(/(?<!\.d)\.tsx?$/, '.js');
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, javascript(each)]));
}
