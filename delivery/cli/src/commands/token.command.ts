import type { Command } from 'commander';
import type { TokenMade } from '@site/contract';
import { CliError } from '../cli-error.ts';
import { pipelineToken } from '../pipeline-token.ts';
import { readSettings } from '../settings.ts';
import { ScopeSchema } from '@site/contract/registry-calls/scopes';
import { MAX_TOKEN_DAYS } from '@site/contract/registry-calls/upkeep.calls';
import { timeText } from '@site/contract/text';
import { all, paged, type RegistryClient } from '../registry-client.ts';
import { connect, printJson, printLines, printTable, type CommandContext } from './command-context.ts';
import {
  addChangeOptions,
  addCommonOptions,
  parseAs,
  parseWholeNumber,
  type ChangeOptions,
  type CommonOptions,
  addRemoval,
  type RemovalOptions,
} from './options.ts';

interface CreateOptions extends ChangeOptions {
  scope: string[];
  expiresInDays?: number;
}

const createExample =
  'token create "blocks pipeline" --scope publish:mfe-blocks activate:mfe-blocks --expires-in-days 90';
const revokeExample = 'token revoke <id> --reason "left the team"';

export function addToken(program: Command, context: CommandContext): void {
  const group = program
    .command('token')
    .description('create, list and revoke tokens of people, pipelines and edges')
    .addHelpText(
      'after',
      `\nExamples:\n  $ npx @site/cli ${createExample}\n  $ npx @site/cli token list\n  $ npx ` +
        `@site/cli ${revokeExample}`,
    );

  const create = group
    .command('create')
    .description('create a token; prints it to standard output, once')
    .argument('<name>', 'the user or system; shown in the history and the audit log')
    .requiredOption(
      '--scope <scope...>',
      'permissions: publish:<app>, activate:<app>, edge:<id>, read, inbox, ops',
      (scope: string, others: string[] | undefined) => [...(others ?? []), parseAs(ScopeSchema)(scope)],
    )
    .option(
      '--expires-in-days <number>',
      'lifetime in days (default: unlimited)',
      parseWholeNumber(1, MAX_TOKEN_DAYS),
    );
  addChangeOptions(create, createExample, 'token create edge-2 --scope edge:edge-2').action(
    (name: string, options: CreateOptions) => createToken(context, name, options),
  );

  const list = group.command('list').description('list all tokens, without their secrets');
  addCommonOptions(list, 'token list').action((options: CommonOptions) => listTokens(context, options));

  const who = group.command('who').description('show the name and permissions of your token');
  addCommonOptions(who, 'token who').action((options: CommonOptions) => showIdentity(context, options));

  const exchange = group
    .command('exchange')
    .description("exchange this pipeline's ID token for a 15-minute token, for several commands");
  addCommonOptions(exchange, 'token exchange', 'token exchange > token').action((options: CommonOptions) =>
    exchangeToken(context, options),
  );

  addRemoval(group, {
    name: 'revoke',
    description: 'revoke a token and the previews it made, effective immediately',
    example: revokeExample,
    remove: (id, options) => revokeToken(context, id, options),
  });
}

async function createToken(context: CommandContext, name: string, options: CreateOptions): Promise<void> {
  const { scope: scopes, expiresInDays, dryRun } = options;
  const registry = await connect(context, options);
  const created = await registry.makeToken({ body: { name, scopes, expiresInDays, dryRun } });
  printCreated(context, created, options);
  await warnOfUnknownApps(context, registry, scopes);
}

function printCreated(context: CommandContext, created: TokenMade, { json }: CreateOptions): void {
  if (json) return printJson(context, created);
  const until = created.expiresAt ? `until ${timeText(created.expiresAt)}` : 'until it is revoked';
  const may = `"${created.name}" may ${created.scopes.join(', ')} ${until}`;
  if (created.token === null) return printLines(context, [`dry run: no token was made; ${may}`]);
  // Only the token goes to standard output, so that it can be piped to a secret store unseen.
  context.io.err(`${may} (id ${created.id}).\nThe token won't be shown again:\n`);
  context.io.out(`${created.token}\n`);
}

/**
 * A token for an unregistered app may be for a future app, or have a typo. The token is already printed, so a failed
 * look-up does not fail the command.
 */
export async function warnOfUnknownApps(
  { io }: CommandContext,
  registry: RegistryClient,
  scopes: readonly string[],
): Promise<void> {
  const named = scopes.flatMap((scope) => /^(?:publish|activate):(.+)$/.exec(scope)?.[1] ?? []);
  if (named.length === 0) return;
  const owned = await registry.listOwnedApps({ params: { channel: 'production' } }).catch(() => null);
  if (!owned) return;
  const known = owned.apps.map(({ app }) => app);
  for (const app of new Set(named.filter((name) => !known.includes(name)))) {
    io.err(
      `warning: "${app}" is not registered; the registered apps are: ${known.join(', ') || 'none yet'}.\n`,
    );
  }
}

async function showIdentity(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const { name, scopes, expiresAt, tokenId } = await (await connect(context)).readSession();
  if (json) return printJson(context, { name, scopes, expiresAt, tokenId });
  const until = expiresAt === null ? 'until it is revoked' : `until ${timeText(expiresAt)}`;
  printLines(context, [`"${name}" may ${scopes.join(', ')} ${until} (id ${tokenId})`]);
}

async function exchangeToken(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const { registryUrl } = await readSettings(context.root, context.env);
  const exchange = pipelineToken(context.env, registryUrl);
  if (!exchange) {
    throw new CliError(
      'id_token_unavailable',
      'This is not a pipeline with an id token: neither SITE_ID_TOKEN nor ACTIONS_ID_TOKEN_REQUEST_URL is set. ' +
        'On GitHub the job needs "permissions: id-token: write", on GitLab "id_tokens".',
    );
  }
  const { token, scopes, expiresAt } = await exchange();
  if (json)
    return printJson(context, { token, scopes: scopes.split(' '), expiresAt: expiresAt.toISOString() });
  context.io.err(`it may ${scopes.replaceAll(' ', ', ')} until ${timeText(expiresAt)}\n`);
  context.io.out(`${token}\n`);
}

async function listTokens(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const registry = await connect(context);
  const tokens = await all(
    paged(
      (before?: string) => registry.listTokens({ query: { before } }),
      (page) => page.tokens,
    ),
  );
  if (json) return printJson(context, { tokens });
  const rows = tokens.map(({ id, name, scopes, createdAt, expiresAt, revokedAt, active }) => [
    id,
    name,
    scopes.join(' '),
    timeText(createdAt),
    revokedAt
      ? `revoked ${timeText(revokedAt)}`
      : `${active ? '' : 'expired '}${expiresAt ? timeText(expiresAt) : 'never'}`,
  ]);
  printTable(context, ['ID', 'NAME', 'MAY', 'CREATED', 'ENDS'], rows);
}

async function revokeToken(context: CommandContext, id: string, options: RemovalOptions): Promise<void> {
  const { reason, dryRun, json } = options;
  const answer = await (
    await connect(context, options)
  ).revokeToken({ params: { token: id }, body: { reason, dryRun } });
  if (json) return printJson(context, answer);
  printLines(context, [
    answer.dryRun
      ? `dry run: nothing was changed; the token ${id} would be revoked`
      : answer.changed
        ? `the token ${id} is revoked`
        : `nothing to do: the token ${id} was already revoked or expired`,
  ]);
}
