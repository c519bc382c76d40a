import type { Command } from 'commander';
import { pickAuthorFields, type AuthorFields } from '@site/contract/author-fields';
import { servesLive } from '@site/contract/edge-goals';
import type { CommandContext } from './command-context.ts';
import { addAuthorOptions, ifLiveOption } from './options.ts';
import { addReleaseOptions, changeChannel, type ReleaseOptions } from './release-options.ts';

interface Options extends ReleaseOptions, AuthorFields {
  to?: string;
  ifLive?: string;
  yes?: true;
}

export function addRetire(program: Command, context: CommandContext): void {
  const command = program
    .command('retire')
    .description('take an app off the site; "rollback" restores it')
    .argument('<app>', 'such as mfe-careers')
    .option('--to <path>', 'redirect its paths to this page (default: respond with 410 Gone)')
    .option('--yes', 'retire it even if other live pages link to it (default: list them and stop)')
    .option(...ifLiveOption);
  addReleaseOptions(
    addAuthorOptions(command, { needsReason: true }),
    'retire mfe-careers --to /about-us --reason "no openings this year"',
    'retire mfe-careers --dry-run --reason "which pages link to it?"',
    'retire mfe-careers --if-live r12 --reason "no openings this year"',
  ).action((app: string, options: Options) => retire(context, app, options));
}

async function retire(context: CommandContext, app: string, options: Options): Promise<void> {
  const { channel, to, ifLive, yes, dryRun } = options;
  await changeChannel(context, options, {
    order: (registry) =>
      registry.retireApp({
        params: { channel },
        body: { app, to, ifLive, ...pickAuthorFields(options), despiteLinks: yes, dryRun },
      }),
    takesAway: true,
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) =>
      `${release.id} is live on ${channel}: ${app} is retired, and its paths ` +
      (to === undefined ? 'respond with 410 Gone' : `redirect to ${to}`),
    nothing: ({ release }) => `${app} is already retired in ${release.id}`,
  });
}
