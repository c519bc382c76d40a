import type { Command } from 'commander';
import { showVariants, variantKey, type ChannelName, type VariantChoice } from '@site/contract';
import { pickAuthorFields, type AuthorFields } from '@site/contract/author-fields';
import { servesLive } from '@site/contract/edge-goals';
import type { ExperimentShown } from '@site/contract/registry-calls/view.calls';
import { CliError } from '../cli-error.ts';
import { lines, table } from '../output.ts';
import type { RegistryClient } from '../registry-client.ts';
import { readLive } from './config.command.ts';
import { connect, indented, printJson, type CommandContext } from './command-context.ts';
import { addAuthorOptions, addCommonOptions, channelOption, type ChannelOptions } from './options.ts';
import { addReleaseOptions, changeChannel, type ReleaseOptions } from './release-options.ts';

type EndOptions = ReleaseOptions & AuthorFields & { channel: ChannelName };

export function addExperiments(program: Command, context: CommandContext): void {
  const group = program
    .command('experiments')
    .description('which variant of a page is better')
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx @site/cli experiments\n' +
        '  $ npx @site/cli experiments end /home headline=b --reason "B wins"',
    );

  const list = group
    .command('list', { isDefault: true })
    .description('views and outcomes of each variant, and whether one wins')
    .addOption(channelOption());
  addCommonOptions(list, 'experiments', 'experiments --channel staging').action((options: ChannelOptions) =>
    listExperiments(context, options),
  );

  const end = group
    .command('end')
    .description('show one variant to everyone; "config rollback" draws again; for ops')
    .argument('<page>', 'the page, such as /home')
    .argument('<variant>', 'such as headline=b; several are joined by &');
  addReleaseOptions(
    addAuthorOptions(end, { needsReason: true }),
    'experiments end /home headline=b --reason "B wins, 1 in 200 by chance"',
  ).action((page: string, variant: string, options: EndOptions) =>
    endExperiment(context, page, variant, options),
  );
}

async function listExperiments(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const answer = await (await connect(context)).readExperiments({ params: { channel }, query: {} });
  if (json) return printJson(context, answer);
  const texts = answer.experiments.map((experiment) => describeExperiment(experiment));
  context.io.out(texts.join('\n') || `no live page on ${channel} declares outcomes for its variants\n`);
}

function describeExperiment({ app, page, says, choices, outcomes }: ExperimentShown): string {
  const rows = choices.map(({ choice, views, reached }) => [
    variantKey(choice),
    views.toLocaleString('en-US'),
    ...outcomes.map(({ name }) => rateText(reached[name] ?? 0, views)),
  ]);
  const compared = outcomes.slice(1).map((outcome) => `${outcome.name}: ${outcome.says}`);
  return [
    lines([`${page} (${app}): ${says}`]),
    indented(table([['VARIANT', 'VIEWS', ...outcomes.map(({ name }) => name)], ...rows])).trimEnd(),
    '\n',
    lines(compared.map((line) => `  ${line}`)),
  ].join('');
}

const rateText = (reached: number, views: number) =>
  views === 0 ? '-' : `${((100 * reached) / views).toFixed(1)} % (${reached.toLocaleString('en-US')})`;

async function endExperiment(
  context: CommandContext,
  page: string,
  variant: string,
  options: EndOptions,
): Promise<void> {
  const { channel, dryRun } = options;
  await changeChannel(context, options, {
    async order(registry) {
      const choice = await findChoice(registry, channel, page, variant);
      const live = await readLive(registry, channel);
      const config = showVariants(live.config, page, choice);
      const body = { apps: {}, config, ...pickAuthorFields(options), ifLive: live.id, dryRun };
      return registry.createRelease({ params: { channel }, body });
    },
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) => `${release.id} is live on ${channel}: everyone sees ${variant} on ${page}`,
    nothing: ({ release }) => `everyone already sees ${variant} on ${page} (${release.id})`,
  });
}

/** @throws CliError `variant_unknown`. */
async function findChoice(
  registry: RegistryClient,
  channel: ChannelName,
  page: string,
  variant: string,
): Promise<VariantChoice> {
  const { experiments } = await registry.readExperiments({ params: { channel }, query: {} });
  const choices = experiments
    .filter((experiment) => experiment.page === page)
    .flatMap((experiment) => experiment.choices);
  const found = choices.find(({ choice }) => variantKey(choice) === variant);
  if (found) return found.choice;
  const known = choices.map(({ choice }) => variantKey(choice)).join(', ');
  throw new CliError(
    'variant_unknown',
    known === ''
      ? `No live version counts outcomes for variants of ${page} on ${channel}.`
      : `${page} has no variant "${variant}", only: ${known}.`,
  );
}
