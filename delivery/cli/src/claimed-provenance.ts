import { execFile } from 'node:child_process';
import { withoutTrailingSlashes } from '@site/contract';
import { PlaceSchema } from '@site/contract/provenance';
import * as v from 'valibot';
import type { Environment } from './environment.ts';

export interface ClaimedProvenance {
  repository?: string;
  run?: string;
}

/** Reads the variables of GitHub and GitLab pipelines, else the git remote. */
export async function claimedProvenance(root: string, env: Environment): Promise<ClaimedProvenance> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path, GITHUB_RUN_ID: id } = env;
  const ofGitHub = server && path ? `${server}/${path}` : undefined;
  const repository = ofGitHub ?? env['CI_PROJECT_URL'] ?? (await gitOrigin(root));
  const run = ofGitHub && id ? `${ofGitHub}/actions/runs/${id}` : env['CI_PIPELINE_URL'];
  return {
    ...(v.is(PlaceSchema, repository) ? { repository } : {}),
    ...(v.is(PlaceSchema, run) ? { run } : {}),
  };
}

function gitOrigin(root: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-c', 'safe.directory=*', '-C', root, 'remote', 'get-url', 'origin'],
      { timeout: 5_000 },
      (error, stdout) => resolve(error ? undefined : webAddress(stdout.trim())),
    );
  });
}

/**
 * Without credentials: `git@github.com:acme/site.git` becomes `https://github.com/acme/site`. Undefined for local
 * paths.
 */
export function webAddress(remote: string): string | undefined {
  const short = /^(?:[^@/\s]+@)?([\w.-]{2,}):(?!\/)(.+)$/.exec(remote);
  const url = URL.parse(short ? `ssh://${short[1]}/${short[2]}` : remote);
  if (!url || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === '') return undefined;
  const path = withoutTrailingSlashes(url.pathname).replace(/\.git$/, '');
  return /^https?:$/.test(url.protocol) ? `${url.origin}${path}` : `https://${url.hostname}${path}`;
}
