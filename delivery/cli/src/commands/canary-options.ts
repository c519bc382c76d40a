import type { Command } from 'commander';
import { parseReleaseId, reasonOption } from './options.ts';
import { addReleaseOptions, type ReleaseOptions } from './release-options.ts';

export interface CanaryOptions extends ReleaseOptions {
  ifCanary?: string;
  reason?: string;
}

export function addCanaryOptions(command: Command, ...examples: string[]): Command {
  command
    .option('--if-canary <release>', 'the expected canary: fails if another one runs', parseReleaseId)
    .option(...reasonOption);
  return addReleaseOptions(command, ...examples);
}
