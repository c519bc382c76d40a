import { readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import webpack from 'webpack';
import { BuildError } from './build-error.ts';
import { withoutEscapes } from './stable-names.ts';

/** A source map without source contents, which are in the repository. https://tc39.es/ecma426/ */
export interface SourceMap {
  version: 3;
  sources: string[];
  names: string[];
  mappings: string;
}

const MapSchema = v.object({
  version: v.literal(3),
  sources: v.array(v.nullable(v.string())),
  names: v.array(v.string()),
  mappings: v.string(),
});

/**
 * Writes a source map for each script without referencing it, because maps are not public. Source names are
 * repository paths, the same on every machine.
 * @param folder of the app.
 */
export function sourceMapPlugin(folder: string): webpack.WebpackPluginInstance {
  const root = repositoryRoot(folder);
  return new webpack.SourceMapDevToolPlugin({
    test: /\.js$/,
    filename: '[file].map',
    append: false,
    noSources: true,
    moduleFilenameTemplate: ({ absoluteResourcePath }: { absoluteResourcePath: string }) => {
      const path = withoutEscapes(absoluteResourcePath);
      return isAbsolute(path) ? relative(root, path).split(sep).join('/') : path;
    },
  });
}

/** The nearest ancestor that npm installs into; `folder` itself if there is none. */
function repositoryRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package-lock.json'))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Moves the source maps out of the served folder. @returns the maps by their scripts' paths. */
export async function takeSourceMaps(
  folder: string,
  paths: readonly string[],
): Promise<Map<string, SourceMap>> {
  const maps = new Map<string, SourceMap>();
  for (const path of paths.filter((each) => each.endsWith('.map'))) {
    const at = join(folder, path);
    maps.set(path.slice(0, -'.map'.length), readSourceMap(path, await readFile(at, 'utf8')));
    await rm(at);
  }
  return maps;
}

/**
 * Parses the kept part of a source map. Other bundlers' source URLs
 * (`webpack://mfe-careers/./src/home-page.tsx`) become paths.
 * @throws BuildError if the text is not a source map.
 */
export function readSourceMap(path: string, text: string): SourceMap {
  const parsed = v.safeParse(jsonText(MapSchema), text);
  if (!parsed.success) throw new BuildError(`"${path}" is not a source map: ${parsed.issues[0].message}`);
  const { sources, names, mappings } = parsed.output;
  const paths = sources.map((source) =>
    (source ?? '').replace(/^(?:webpack|rspack):\/\/[^/]*\/(?:\.\/)?/, ''),
  );
  return { version: 3, sources: paths, names, mappings };
}

/**
 * Adjusts the map of a script in which a text was replaced after the build, by one without line breaks:
 * shifts the later columns of its line.
 */
export function movedBy(map: SourceMap, source: string, replaced: string, by: string): SourceMap {
  const places = source.split('\n').map((line) => findColumns(line, replaced));
  const longer = by.length - replaced.length;
  const mappings = decode(map.mappings).map((segments, line) => {
    const columns = places[line] ?? [];
    let before = 0;
    return segments.map((segment) => {
      while (before < columns.length && (columns[before] ?? 0) < segment[0]) before += 1;
      return segment.with(0, segment[0] + before * longer) as typeof segment;
    });
  });
  return { ...map, mappings: encode(mappings) };
}

function findColumns(line: string, text: string): number[] {
  const columns: number[] = [];
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length)) columns.push(at);
  return columns;
}
