import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLoopbackHost, isWebAddress, jsonText, withoutTrailingSlashes } from '@site/contract';
import * as v from 'valibot';
import { CliError } from './cli-error.ts';
import type { Environment } from './environment.ts';
import { pipelineToken } from './pipeline-token.ts';

/** Where the registry is, and the token to come with. */
export interface Settings {
  registryUrl: string;
  /** Null when there is none: the registry's refusal then says what to do. That of a pipeline is got when it is needed. */
  token: string | (() => Promise<string>) | null;
}

const DEFAULT_REGISTRY = 'http://localhost:8083';

/** What `npm start` writes into DATA_DIR. */
const RunningSchema = v.object({ registry: v.pipe(v.string(), v.url()) });
const TokensSchema = v.object({ ops: v.string() });

/**
 * `SITE_REGISTRY` and `SITE_TOKEN`; without them the site that runs, or ran last, from this checkout. A pipeline without a token
 * exchanges its id token.
 *
 * @param app what is published, if something is.
 * @throws CliError `setting_invalid`.
 */
export async function readSettings(root: string, env: Environment, app?: string): Promise<Settings> {
  const dataDir = resolve(root, env['DATA_DIR'] || '.data');
  const url = await registryUrl(dataDir, env['SITE_REGISTRY']?.trim() || null);
  // The local token is for the registry of this machine: another one would learn it.
  const local = isLoopback(url)
    ? (await readJson(join(dataDir, 'tokens.json'), TokensSchema))?.ops
    : undefined;
  const ofPipeline = pipelineToken(env, url, app);
  const exchanged = ofPipeline && (async () => (await ofPipeline()).token);
  return { registryUrl: url, token: env['SITE_TOKEN'] || local || exchanged };
}

/** Whether a URL leads to this machine. */
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

/**
 * A file that `npm start` writes; null when there is none.
 *
 * @throws CliError `setting_invalid`
 */
export async function readJson<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError('setting_invalid', `"${file}" cannot be read (${message}): check who may read it.`, {
      cause: error,
    });
  });
  if (text === null) return null;
  const parsed = v.safeParse(jsonText(schema), text);
  if (parsed.success) return parsed.output;
  throw new CliError(
    'setting_invalid',
    `"${file}" is not what "npm start" writes: delete it and run "npm start" again.`,
  );
}
