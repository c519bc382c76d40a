import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { timeText } from '@site/contract/time-text';
import type { RegistryClient } from '../registry-client.ts';
import { appOr } from '../repository.ts';
import { authorFieldsOf, type AuthorFields } from '@site/contract/author-fields';
import { servesLive } from '@site/contract/edge-goals';
import type { CommandContext } from './command-context.ts';
import { addAuthorOptions, withoutOption } from './options.ts';
import { addReleaseOptions, changeChannel, type ReleaseOptions } from './release-options.ts';
import { parseTarget } from './target.ts';

interface Options extends ReleaseOptions, AuthorFields {
  to?: string;
  live?: true;
  without?: string[];
  force?: true;
}

export function addRollback(program: Command, context: CommandContext): void {
  const command = program
    .command('rollback')
    .description('roll one app back to its last good version, and quarantine the live one')
    .argument(
      '[app[@version]]',
      'with a version: take that one away, from everyone or from the visitors of a canary (default: that of the folder)',
    )
    .option('--to <version>', 'the version to put back (default: the last good one)')
    .option('--live', 'while a canary shows another version: take away the live one')
    .option(...withoutOption)
    .option('--force', 'also to a quarantined version; lifts its quarantine');
  addReleaseOptions(
    addAuthorOptions(command, { needsReason: true }),
    'rollback mfe-blocks --reason "the form does not send"',
    'rollback mfe-blocks --to 1.0.0-3f2a9c01b7de --reason "the one before is bad as well"',
  ).action((target: string | undefined, options: Options) =>
    rollBack(context, appOr(context, target), options),
  );
}

async function rollBack(context: CommandContext, target: string, options: Options): Promise<void> {
  const { channel, to, live: ofLive, without, force, dryRun, key } = options;
  const { app, version } = parseTarget(target);
  await changeChannel(context, options, {
    async order(registry) {
      const said = authorFieldsOf(options);
      const body = { app, from: version ?? undefined, to, live: ofLive, without, ...said, force, dryRun };
      if (version !== null) return registry.rollBack({ params: { channel }, body });
      // What is live now is what they want gone: if somebody else is faster, theirs was the one rollback to make.
      const now = await registry.readChannel({ params: { channel } });
      const live = now.release?.apps[app];
      const shown = now.canary?.release.apps[app];
      // Naming the key or the target makes it safe to repeat the command: it cannot go back one version too far. Otherwise a second
      // rollback is refused. While a canary shows another version, the registry refuses it.
      const isAsked = shown !== undefined && shown !== live && !ofLive;
      if (key === undefined && to === undefined && !isAsked) await refuseTwice(registry, channel, app, live);
      return registry.rollBack({
        params: { channel },
        headers: {
          'if-live-version': live,
          'if-retired-version': isAsked ? undefined : now.release?.retired?.[app]?.version,
        },
        body,
      });
    },
    takesAway: true,
    goal: ({ release }) => servesLive(release.id),
    // A former registry does not say what it put back; of an app that was retired, nothing is quarantined.
    done: ({ release, quarantined, putBack }) =>
      (quarantined ?? putBack)
        ? `${release.id} is live on ${channel}`
        : `the canary of ${channel} has ended: everyone sees ${release.id}`,
    nothing: ({ release }) => `${release.id} is live on ${channel} already`,
  });
}

/**
 * Someone who repeats the command because its answer was lost, or who rolls back a moment after somebody else, means the
 * version that is gone already, and not the good one that has taken its place.
 *
 * @throws CliError `rolled_back_already`.
 */
async function refuseTwice(
  registry: RegistryClient,
  channel: string,
  app: string,
  live: string | undefined,
): Promise<void> {
  const { releases } = await registry.listReleases({ params: { channel }, query: { app, limit: 20 } });
  const last = releases.find(({ changes }) => changes.some((made) => made.app === app && made.to === live));
  if (live === undefined || last?.kind !== 'rollback') return;
  throw new CliError(
    'rolled_back_already',
    `${app} was rolled back by ${last.by} at ${timeText(last.at)} (${last.id}: "${last.reason}"), and that is live. There is nothing to do: the version ${live} is live again. Only if it is bad too, roll it back by its full name.`,
  );
}
