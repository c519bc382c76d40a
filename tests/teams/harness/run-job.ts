import { parse } from 'yaml';
import type { OwnRepository } from './own-repository.ts';

interface Job {
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: { run?: string }[];
}

/**
 * Runs the steps of a job of the team's workflow like GitHub Actions, with the job's environment only.
 * Installed packages stay.
 * @param vars the repository's variables.
 * @param idTokens the variables of a job that may request id tokens.
 * @returns the output. @throws Error if a step fails.
 */
export async function runJob(
  team: OwnRepository,
  name: string,
  vars: Readonly<Record<string, string>>,
  idTokens: Readonly<Record<string, string>>,
): Promise<string> {
  const { jobs } = parse(await team.read('.github/workflows/site.yml')) as { jobs: Record<string, Job> };
  const job = jobs[name];
  if (!job) throw new Error(`The workflow has no job "${name}"; it has ${Object.keys(jobs).join(', ')}.`);
  const filled = (text: string) =>
    text.replaceAll(/\$\{\{ vars\.(\w+) \}\}/g, (_, variable: string) => vars[variable] ?? '');
  const env = {
    ...job.env,
    ...(job.permissions?.['id-token'] === 'write' ? idTokens : {}),
  };
  const settings = Object.entries(env).map(([key, value]) => `${key}=${filled(value)}`);
  const withoutOwn = ['-u', 'SITE_TOKEN', '-u', 'SITE_REGISTRY'];
  let output = '';
  for (const { run } of job.steps)
    if (run !== undefined && run !== 'npm ci')
      output += await team.run('env', ...withoutOwn, ...settings, 'sh', '-c', run);
  return output;
}
