import type { Command } from 'commander';
import { parseReleaseId, reasonOption } from './options.ts';
import { addReleaseOptions, type ReleaseOptions } from './release-options.ts';

/** What `canary`, `promote` and `abort` have in common. */
export interface CanaryOptions extends ReleaseOptions {
  ifCanary?: string;
  reason?: string;
}

export function addCanaryOptions(command: Command, ...examples: string[]): Command {
  command
    .option('--if-canary <release>', 'the canary that you saw: refused when another one runs', parseReleaseId)
    .option(...reasonOption);
  return addReleaseOptions(command, ...examples);
}
