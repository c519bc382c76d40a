import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commandsOf } from './guide.ts';

export interface Service {
  image: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks?: Record<string, { aliases?: string[] }>;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
}

export interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, object>;
}

/** The file `.env`, by the commands of the guide. */
export function trialSecrets(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-trial-'));
  try {
    mkdirSync(join(folder, 'deploy'));
    execFileSync('sh', ['-ec', commandsOf('one-machine', 'Containers, for a trial')], { cwd: folder });
    const lines = readFileSync(join(folder, 'deploy/.env'), 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Reads `deploy/compose.yaml` with the variables of `.env`, like `docker compose config`.
 * @throws Error if a variable has no value.
 */
export function readCompose(variables: Record<string, string>): ComposeFile {
  const text = readFileSync('deploy/compose.yaml', 'utf8').replaceAll(
    /\$\$|\$\{(\w+)(?::\?[^}]*)?\}/g,
    (found, name?: string) => {
      if (name === undefined) return found;
      const value = variables[name];
      if (value === undefined) throw new Error(`deploy/compose.yaml needs the variable ${name}.`);
      return value;
    },
  );
  return parse(text.replaceAll('$$', '$'), { merge: true }) as ComposeFile;
}

/** Services of this project's image, by name. */
export const platformServices = ({ services }: ComposeFile): [string, Service][] =>
  Object.entries(services).filter(([, { image }]) => image.startsWith('site-platform:'));

/** The roles of the image that a service starts: `site-platform <role>`. */
export function rolesOf({ entrypoint, command = [] }: Service): string[] {
  if (!entrypoint) return command.slice(0, 1);
  return [...command.join('\n').matchAll(/site-platform (\w+)/g)].map(([, role = '']) => role);
}
