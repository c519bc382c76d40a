import { InvalidArgumentError, type Command } from 'commander';
import type { TrustMade } from '@site/contract/registry-calls/trust.calls';
import { timeText } from '@site/contract/text';
import { isLoopback, readSettings } from '../settings.ts';
import { connect, printJson, printLines, printTable, type CommandContext } from './command-context.ts';
import {
  addChangeOptions,
  addCommonOptions,
  type ChangeOptions,
  type CommonOptions,
  addRemoval,
  type RemovalOptions,
} from './options.ts';
import { warnOfUnknownApps } from './token.command.ts';

interface AddOptions extends ChangeOptions {
  issuer: string;
  subject?: string;
  audience?: string;
  claim?: [name: string, value: string][];
  activate?: true;
}

const addExample =
  'trust add mfe-careers --issuer https://token.actions.githubusercontent.com --claim repository_id=456789 ' +
  'ref=refs/heads/main --activate';
/** The subjects of all repositories of an issuer, by the claim that selects one. An id never belongs to another one. */
const ID_CLAIMS: Record<string, string> = { repository_id: 'repo:*', project_id: 'project_path:*' };
const byIdHint =
  'select the repository by its id, with --claim repository_id=<id> ref=refs/heads/main on ' +
  'GitHub, or --claim project_id=<id> ' +
  'ref=main on GitLab. "gh api repos/acme/careers --jq .id" prints it, or "glab api projects/acme%2Fcareers".';
const removeExample = 'trust remove <id> --reason "moved to another repository"';

export function addTrust(program: Command, context: CommandContext): void {
  const group = program
    .command('trust')
    .description('let pipelines publish an app with their id tokens, without a stored secret')
    .addHelpText('after', `\nExamples:\n  $ npx @site/cli ${addExample}\n  $ npx @site/cli trust list`);

  const add = group
    .command('add')
    .description('let a pipeline publish an app')
    .argument('<app>', 'shell, or a remote such as mfe-careers')
    .requiredOption('--issuer <url>', 'the issuer of the id tokens: their "iss"')
    .option(
      '--subject <text>',
      'their "sub"; may end with "*" after ":" or "/" (default: any, with --claim repository_id=… or project_id=…)',
    )
    .option('--audience <text>', 'their "aud" (default: the registry\'s URL from SITE_REGISTRY)')
    .option('--claim <name=value...>', 'further required claims; a value may end with "*"', parseClaim)
    .option('--activate', 'also allow activations and rollbacks');
  add.addHelpText('after', `\nTo trust a repository whatever its name, ${byIdHint}`);
  addChangeOptions(add, addExample).action((app: string, options: AddOptions) =>
    addTrustedPipeline(context, app, options, add),
  );

  const list = group.command('list').description('list the trusted pipelines and their apps');
  addCommonOptions(list, 'trust list').action((options: CommonOptions) => listTrusts(context, options));

  addRemoval(group, {
    name: 'remove',
    description: "withdraw a pipeline's permission; its tokens and previews end immediately",
    example: removeExample,
    remove: (id, options) => removeTrust(context, id, options),
  });
}

function parseClaim(text: string, others: [string, string][] = []): [string, string][] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give a name and a value, such as ref=refs/heads/main.');
  return [...others, [name, value]];
}

async function addTrustedPipeline(
  context: CommandContext,
  app: string,
  options: AddOptions,
  add: Command,
): Promise<void> {
  const { issuer, claim = [], activate, dryRun } = options;
  const byId = claim.find(([name]) => Object.hasOwn(ID_CLAIMS, name))?.[0];
  const subject = options.subject ?? (byId && ID_CLAIMS[byId]);
  if (subject === undefined) return add.error(`error: give --subject, or ${byIdHint}`);
  const registry = await connect(context, options);
  const audience = options.audience ?? (await readSettings(context.root, context.env)).registryUrl;
  const made = await registry.addTrust({
    body: { app, issuer, subject, audience, claims: Object.fromEntries(claim), activate, dryRun },
  });
  printAdded(context, made, options);
  // Operators often reach the registry by another URL than pipelines.
  if (options.audience === undefined && isLoopback(audience) && !isLoopback(issuer)) {
    context.io.err(
      `warning: its tokens must be made for "${audience}", which is the registry's URL on this machine. ` +
        'Pipelines with another SITE_REGISTRY are rejected: pass that URL with --audience.\n',
    );
  }
  if (byId === undefined && /^(repo|project_path):/.test(subject))
    context.io.err(
      'note: GitHub writes ids into the subjects of new repositories, and a renamed one has ' +
        `another subject. To avoid both, ${byIdHint}\n`,
    );
  await warnOfUnknownApps(context, registry, [`publish:${app}`]);
}

function printAdded(context: CommandContext, made: TrustMade, { json }: AddOptions): void {
  if (json) return printJson(context, made);
  const what =
    `"${made.subject}" of ${made.issuer}${describeClaims(made)} may ${describeScope(made)}, for the ` +
    `audience "${made.audience}"`;
  printLines(context, [made.dryRun ? `dry run: nothing was changed; ${what}` : `${what} (id ${made.id})`]);
}

const describeScope = ({ app, activate }: Pick<TrustMade, 'app' | 'activate'>) =>
  activate ? `publish and activate ${app}` : `publish ${app}`;

function describeClaims({ claims }: Pick<TrustMade, 'claims'>): string {
  const all = Object.entries(claims).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? '' : ` with ${all.join(' ')}`;
}

async function listTrusts(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const answer = await (await connect(context)).listTrusts();
  if (json) return printJson(context, answer);
  if (answer.trusts.length === 0) {
    return printLines(context, [
      'no pipeline may publish without a token; add one with "npx @site/cli trust add"',
    ]);
  }
  const rows = answer.trusts.map((trust) => [
    trust.id,
    describeScope(trust),
    trust.issuer,
    `${trust.subject}${describeClaims(trust)}`,
    trust.audience,
    trust.by,
    trust.usedAt === null ? 'never' : timeText(trust.usedAt),
  ]);
  printTable(context, ['ID', 'MAY', 'ISSUER', 'SUBJECT', 'AUDIENCE', 'BY', 'USED'], rows);
}

async function removeTrust(context: CommandContext, id: string, options: RemovalOptions): Promise<void> {
  const { reason, dryRun, json } = options;
  const registry = await connect(context, options);
  const answer = await registry.removeTrust({ params: { trust: id }, body: { reason, dryRun } });
  if (json) return printJson(context, answer);
  const { app, subject, ended } = answer;
  printLines(context, [
    answer.dryRun
      ? `dry run: nothing was changed; "${subject}" could no longer publish ${app}, and ${ended} of its tokens ` +
        'would be revoked'
      : `"${subject}" can no longer publish ${app}; ${ended} of its tokens were revoked`,
  ]);
}
