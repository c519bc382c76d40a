import * as v from 'valibot';
import { BOOT_DATA_ID, STATE_PATH, type ChangeAnswer } from '@site/contract';
import { CliError } from './cli-error.ts';

export interface FrontCheck {
  origin: string;
  checks: number;
  /** Null, or why the site could not be requested. */
  problem: string | null;
}

const WITHIN_MS = 5_000;
const MOST_PAGES = 20;
/** Caches have separate entries for them. */
const VISITORS: Record<string, string>[] = [
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'gzip', cookie: 'site-check=1' },
];

const PartsSchema = v.object({
  shell: v.string(),
  remotes: v.array(v.object({ name: v.string(), version: v.string() })),
});
const TableSchema = v.object({ routes: v.array(v.object({ path: v.string(), remote: v.string() })) });
const bootData = new RegExp(`<script type="application/json" id="${BOOT_DATA_ID}">([^]*?)</script>`);

/**
 * Requests the pages of the changed apps from outside, at the site's public address.
 * @throws CliError `cache_stale` if one shows a version that the change removed.
 */
export async function checkFront({ release, changes }: ChangeAnswer): Promise<FrontCheck> {
  const { origin } = release.config;
  const removed = new Map(changes.flatMap(({ app, from }) => (from === null ? [] : [[app, from] as const])));
  let checks = 0;
  try {
    const table = v.parse(TableSchema, await (await ask(`${origin}${STATE_PATH}`, {})).json());
    const paths = table.routes
      .filter(({ remote }) => removed.has(remote) || removed.has('shell'))
      .slice(0, MOST_PAGES);
    for (const { path } of paths) {
      for (const visitor of VISITORS) {
        const response = await ask(origin + path, visitor);
        const shown = bootData.exec(await response.text())?.[1];
        checks += 1;
        if (shown === undefined) continue;
        const { shell, remotes } = v.parse(PartsSchema, JSON.parse(shown));
        for (const { name, version } of [{ name: 'shell', version: shell }, ...remotes])
          if (removed.get(name) === version)
            throw stale(origin + path, `${name}@${version}`, response.headers);
      }
    }
    return { origin, checks, problem: null };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { message, cause } = error as Error;
    return { origin, checks, problem: cause instanceof Error ? cause.message : message };
  }
}

function ask(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) });
}

function stale(url: string, version: string, headers: Headers): CliError {
  const cache =
    headers.get('via') ?? headers.get('x-served-by') ?? headers.get('server') ?? 'an unnamed cache';
  const age = headers.get('age');
  return new CliError(
    'cache_stale',
    `The change is made, and the edges serve it, but ${url} still shows ${version}, from ${cache}` +
      `${age === null ? '' : ` (age ${age} s)`}.`,
  );
}
