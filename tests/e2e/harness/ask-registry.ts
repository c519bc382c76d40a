import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from './site.ts';

/** The operator token that a site created on this machine. */
export async function readOpsToken({ dataDir }: Pick<Site, 'dataDir'>): Promise<string> {
  const tokens = await readFile(join(dataDir, 'tokens.json'), 'utf8');
  return (JSON.parse(tokens) as { ops: string }).ops;
}

/** Calls a site's registry as ops: GET, or POST with a body. @throws Error for a status other than 2xx. */
export async function askRegistry<Answer>(
  site: Pick<Site, 'dataDir' | 'registry'>,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${site.registry}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${await readOpsToken(site)}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}: ${text}`);
  return JSON.parse(text) as Answer;
}
