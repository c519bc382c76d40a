import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { timeText } from '@site/contract/text';
import type { RegistryClient } from '../registry-client.ts';
import { appOr } from '../repository.ts';
import { pickAuthorFields, type AuthorFields } from '@site/contract/author-fields';
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
      'with a version: take that one away, from everyone or from the visitors of a canary (default: that of the ' +
        'folder)',
    )
    .option('--to <version>', 'the version to restore (default: the last good one)')
    .option('--live', 'while a canary shows another version: roll back the live one')
    .option(...withoutOption)
    .option('--force', 'accept a quarantined version; lifts its quarantine');
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
      const said = pickAuthorFields(options);
      const body = { app, from: version ?? undefined, to, live: ofLive, without, ...said, force, dryRun };
      if (version !== null) return registry.rollBack({ params: { channel }, body });
      // The user means the currently live version: after a concurrent rollback, this one must not go back
      // further.
      const now = await registry.readChannel({ params: { channel } });
      const live = now.release?.apps[app];
      const shown = now.canaries.find((canary) => canary.app === app)?.release.apps[app];
      // An explicit key or target makes retries safe. Otherwise a repeated rollback is rejected here, or by
      // the registry while a canary shows another version.
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
    done: ({ release, putBack }) =>
      putBack
        ? `${release.id} is live on ${channel}`
        : `the canary of ${app} has ended: its visitors see ${release.id} of ${channel}`,
    nothing: ({ release }) => `${release.id} is already live on ${channel}`,
  });
}

/**
 * A retry after a lost response, or right after someone else's rollback, means the previous version, not the good one
 * that replaced it. @throws CliError `rolled_back_already`.
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
    `${app} was rolled back by ${last.by} at ${timeText(last.at)} (${last.id}: "${last.reason}"), and that is ` +
      `live. There is nothing to do: version ${live} is live again. If it is bad as well, roll it back by its ` +
      'full name.',
  );
}
