import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { computeIntegrity } from '@site/contract/integrity';
import { jsonText, VersionManifestSchema, type FileEntry, type VersionManifest } from '@site/contract';
import { CliError } from './cli-error.ts';
import type { LocalApp } from './repository.ts';

export interface BuiltFile {
  entry: FileEntry;
  file: string;
}

export interface Build {
  manifest: VersionManifest;
  files: BuiltFile[];
}

/** Verifies every file against `version.json`. @throws CliError `build_missing`, `build_invalid`. */
export async function readBuild(app: LocalApp): Promise<Build> {
  const dist = join(app.folder, 'dist');
  const text = await readFile(join(dist, 'version.json'), 'utf8').catch((cause: unknown) => {
    throw new CliError(
      'build_missing',
      `There is no build of ${app.name} in "${dist}": build it with "${app.buildCommand}".`,
      { cause },
    );
  });
  const manifest = parseManifest(text, app);
  const files = [
    ...manifest.assets.map((entry) => ({ entry, file: join(dist, 'browser', entry.path) })),
    { entry: manifest.server, file: join(dist, 'server', manifest.server.path) },
    ...(manifest.sourceMaps
      ? [{ entry: manifest.sourceMaps, file: join(dist, manifest.sourceMaps.path) }]
      : []),
  ];
  for (const file of files) await readChecked(app, file);
  return { manifest, files: [...new Map(files.map((file) => [file.entry.integrity, file])).values()] };
}

export async function readChecked(app: LocalApp, { entry, file }: BuiltFile): Promise<Buffer> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw invalid(app, `"${entry.path}" is missing`, cause);
  });
  if (computeIntegrity(bytes) !== entry.integrity)
    throw invalid(app, `"${entry.path}" was changed after the build`);
  return bytes;
}

function parseManifest(text: string, app: LocalApp): VersionManifest {
  const parsed = v.safeParse(jsonText(VersionManifestSchema), text);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw invalid(app, `version.json: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  }
  if (parsed.output.app !== app.name) throw invalid(app, `version.json belongs to "${parsed.output.app}"`);
  return parsed.output;
}

function invalid({ name, buildCommand }: LocalApp, problem: string, cause?: unknown): CliError {
  return new CliError(
    'build_invalid',
    `The build of ${name} cannot be published: ${problem}. Build it again with "${buildCommand}".`,
    { cause },
  );
}
