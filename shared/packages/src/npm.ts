import { execFile } from 'node:child_process';
import { root } from './workspace.ts';

/** npm failed or could not reach the registry. The message is npm's own. */
export class NpmError extends Error {
  override name = 'NpmError';
  readonly stdout: string;

  constructor(message: string, stdout: string) {
    super(message);
    this.stdout = stdout;
  }
}

/**
 * Runs npm with its configuration (registry, token …).
 * @param env contains the configuration or its location: the environment of this process.
 * @returns standard output.
 * @throws NpmError
 */
export function npm(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  return new Promise((resolve, reject) => {
    execFile('npm', args, options, (error, stdout, stderr) => {
      if (error) reject(new NpmError(`npm ${args.join(' ')}:\n${stderr.trim() || error.message}`, stdout));
      else resolve(stdout);
    });
  });
}

/** npm's configuration for publishing to the site's registry. Without `SITE_REGISTRY`, the user's own. */
export function publishingEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { SITE_REGISTRY, SITE_TOKEN } = env;
  if (SITE_REGISTRY === undefined) return env;
  const registry = `${SITE_REGISTRY.replace(/\/$/, '')}/npm/`;
  return {
    ...env,
    'npm_config_@site:registry': registry,
    [`npm_config_${registry.replace(/^https?:/, '')}:_authToken`]: SITE_TOKEN ?? '',
  };
}
