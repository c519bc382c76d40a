import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '@site/contract';
import { provenanceText } from '@site/contract/provenance';
import { timeText } from '@site/contract/text';
import { CliError } from '../cli-error.ts';
import { table } from '../output.ts';
import { readBuild } from '../read-build.ts';
import type { RegistryClient } from '../registry-client.ts';
import { localApps, type Place } from '../repository.ts';

export interface AppTarget {
  app: string;
  version: string | null;
}

export function parseTarget(target: string): AppTarget {
  const [app = '', version, ...rest] = target.split('@');
  if (
    rest.length > 0 ||
    !v.is(AppNameSchema, app) ||
    (version !== undefined && !v.is(VersionIdSchema, version))
  ) {
    throw new CliError(
      'target_invalid',
      `"${target}" is not a version: write <app>@<version>, such as "mfe-blocks@1.0.0-3f2a9c01b7de", or just <app>.`,
    );
  }
  return { app, version: version ?? null };
}

/** @throws CliError `target_invalid`. */
export function parseVersion(target: string): { app: string; version: string } {
  const { app, version } = parseTarget(target);
  if (version !== null) return { app, version };
  throw new CliError(
    'target_invalid',
    `"${target}" has no version: write ${app}@<version>; "npx @site/cli versions ${app}" lists them.`,
  );
}

const CANDIDATES = 5;

/**
 * Without a version: the one that this folder built, because the newest may be another checkout's.
 * @throws CliError `target_invalid`, `version_not_named` with the candidates.
 */
export async function resolveTarget(
  { root }: Place,
  registry: RegistryClient,
  target: string,
): Promise<{ app: string; version: string }> {
  const { app, version } = parseTarget(target);
  if (version !== null) return { app, version };
  const here = localApps(root).find(({ name }) => name === app);
  if (here && existsSync(join(here.folder, 'dist/version.json')))
    return { app, version: (await readBuild(here)).manifest.version };
  const { versions } = await registry.listVersions({ params: { app } });
  const stored = versions.filter(({ collectedAt }) => collectedAt === null);
  if (stored.length === 0)
    throw new CliError(
      'target_invalid',
      `"${app}" has no version with stored files: "npx @site/cli publish ${app}" makes one.`,
    );
  const rows = stored
    .slice(0, CANDIDATES)
    .map((known) => [
      `${app}@${known.version}`,
      timeText(known.publishedAt),
      known.publishedBy,
      provenanceText(known),
    ]);
  throw new CliError(
    'version_not_named',
    `This folder has no build of ${app}: name the version, such as one of the latest.\n${table(rows).trimEnd()}`,
  );
}
