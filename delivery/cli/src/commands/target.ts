import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '@site/contract';
import { CliError } from '../cli-error.ts';
import { listAllVersions, type RegistryClient } from '../registry-client.ts';

export interface AppTarget {
  app: string;
  version: string | null;
}

/** `<app>` or `<app>@<version>`. @throws CliError `target_invalid`. */
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

/** The latest version whose files are still stored, if none is named. @throws CliError `target_invalid`. */
export async function resolveTarget(
  registry: RegistryClient,
  target: string,
): Promise<{ app: string; version: string }> {
  const { app, version } = parseTarget(target);
  if (version !== null) return { app, version };
  for await (const { version: newest, collectedAt } of listAllVersions(registry, app)) {
    if (collectedAt === null) return { app, version: newest };
  }
  throw new CliError(
    'target_invalid',
    `"${app}" has no version with stored files: "npx @site/cli publish ${app}" makes one.`,
  );
}
