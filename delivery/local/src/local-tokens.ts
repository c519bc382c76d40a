import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@site/server/start-error';
import { createToken } from '@site/server/secrets';
import { unusable } from './data-dir.ts';

export interface LocalTokens {
  /** For the registry. */
  ops: string;
  edge: string;
  forms: string;
  admin: string;
  inbox: string;
}

const tokenNames = [
  'ops',
  'edge',
  'forms',
  'admin',
  'inbox',
] as const satisfies readonly (keyof LocalTokens)[];

/** @throws StartError if the file is unreadable or invalid; ConfigError if it cannot be written. */
export async function localTokens(dataDir: string): Promise<LocalTokens> {
  const path = join(dataDir, 'tokens.json');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(
      `The tokens in ${path} cannot be read (${message}). Give this user permission to read it.`,
      {
        cause,
      },
    );
  });
  if (text !== null) return parseTokens(text, path);
  const tokens = Object.fromEntries(
    tokenNames.map((name) => [name, createToken()]),
  ) as unknown as LocalTokens;
  try {
    await mkdir(dataDir, { recursive: true });
    // Renamed into place, so that a killed start leaves no partial file.
    await writeFile(`${path}.new`, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
  return tokens;
}

function parseTokens(text: string, path: string): LocalTokens {
  try {
    const found = JSON.parse(text) as LocalTokens;
    if (tokenNames.every((name) => typeof found[name] === 'string')) return found;
  } catch {
    // Reported below: invalid JSON.
  }
  throw new StartError(
    `The file ${path} does not contain the local tokens. Delete it: new ones are created at the next start.`,
  );
}
