import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { isLoopbackHost, isWebAddress, jsonText, withoutTrailingSlashes } from '@site/contract';
import { CliError } from './cli-error.ts';
import type { Environment } from './environment.ts';
import { pipelineToken } from './pipeline-token.ts';

export interface Settings {
  registryUrl: string;
  /** Null without a token: the registry's error then explains it. A pipeline's token is requested when needed. */
  token: string | (() => Promise<string>) | null;
}

const DEFAULT_REGISTRY = 'http://localhost:8083';

const RunningSchema = v.object({ registry: v.pipe(v.string(), v.url()) });
const TokensSchema = v.object({ ops: v.string() });

/**
 * `SITE_REGISTRY` and `SITE_TOKEN`, or the site that last ran from this checkout. A pipeline without a token
 * exchanges its id token. @param app the published app. @throws CliError `setting_invalid`.
 */
export async function readSettings(root: string, env: Environment, app?: string): Promise<Settings> {
  const dataDir = resolve(root, env['DATA_DIR'] || '.data');
  const url = await registryUrl(dataDir, env['SITE_REGISTRY']?.trim() || null);
  // The local token must not be sent to other machines.
  const local = isLoopback(url)
    ? (await readJson(join(dataDir, 'tokens.json'), TokensSchema))?.ops
    : undefined;
  const ofPipeline = pipelineToken(env, url, app);
  const exchanged = ofPipeline && (async () => (await ofPipeline()).token);
  return { registryUrl: url, token: env['SITE_TOKEN'] || local || exchanged };
}

export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

async function registryUrl(dataDir: string, given: string | null): Promise<string> {
  if (given === null) {
    return (await readJson(join(dataDir, 'running.json'), RunningSchema))?.registry ?? DEFAULT_REGISTRY;
  }
  if (!isWebAddress(given)) {
    throw new CliError(
      'setting_invalid',
      `SITE_REGISTRY is "${given}": give an http(s) URL, such as "${DEFAULT_REGISTRY}".`,
    );
  }
  return withoutTrailingSlashes(given);
}

/** Null if `npm start` wrote no such file. @throws CliError `setting_invalid` */
export async function readJson<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError('setting_invalid', `"${file}" cannot be read (${message}): check its permissions.`, {
      cause: error,
    });
  });
  if (text === null) return null;
  const parsed = v.safeParse(jsonText(schema), text);
  if (parsed.success) return parsed.output;
  throw new CliError(
    'setting_invalid',
    `"${file}" was not written by "npm start" or is damaged: delete it and run "npm start" again.`,
  );
}
