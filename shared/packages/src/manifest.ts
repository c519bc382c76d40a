import type { Exports, PackageJson } from './workspace.ts';

/** What stands in a source's `package.json` for this repository alone. */
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
 * The `package.json` that is published: JavaScript in the place of sources, and what `publishConfig` gives in the place of what
 * only this repository may use. Types need no condition: they lie beside each file.
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

/** `./src/*.tsx` → `./src/*.js`, wherever a file is named. */
function javascript(value: Exports): Exports {
  if (value === null) return null;
  if (typeof value === 'string') return value.replace(/(?<!\.d)\.tsx?$/, '.js');
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, javascript(each)]));
}
