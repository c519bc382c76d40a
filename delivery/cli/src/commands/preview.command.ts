import { InvalidArgumentError, type Command } from 'commander';
import * as v from 'valibot';
import { DEV_TABLE_PATH, DevOriginSchema, MAX_PREVIEW_MINUTES, type ChannelName } from '@site/contract';
import { timeText } from '@site/contract/text';
import { appOr } from '../repository.ts';
import { connect, printJson, printLines, printTable, type CommandContext } from './command-context.ts';
import { addChangeOptions, channelOption, parseWholeNumber, type ChangeOptions } from './options.ts';
import { parseTarget, resolveTarget } from './target.ts';

/** Enough for a server on this machine. */
const DEV_SERVER_WITHIN_MS = 3_000;

const DevTableSchema = v.object({ routes: v.array(v.object({ remote: v.string(), path: v.string() })) });

interface Options extends ChangeOptions {
  channel: ChannelName;
  dev?: string;
  minutes?: number;
  revoke?: string;
  list?: true;
  reason?: string;
}

export function addPreview(program: Command, context: CommandContext): void {
  const command = program
    .command('preview')
    .description('create a public link that shows the live site with this version')
    .argument(
      '[app[@version]]',
      "without a version: this folder's build (default: the app of the current folder)",
    )
    .option('--dev <url>', "with the app from this machine's development server instead", parseOrigin)
    .option(
      '--minutes <number>',
      'how long the link works (default: one day)',
      parseWholeNumber(1, MAX_PREVIEW_MINUTES),
    )
    .option('--revoke <id>', 'revoke an earlier link')
    .option('--reason <text>', 'why it is revoked')
    .option('--list', 'list the active links, without their secrets')
    .addOption(channelOption());
  addChangeOptions(
    command,
    'preview mfe-blocks',
    'preview mfe-blocks --dev http://localhost:3001 --minutes 60',
    'preview --list',
    'preview --revoke 3c1f…',
  ).action((target: string | undefined, options: Options) => {
    if (options.list) return list(context, target, options);
    if (options.revoke === undefined) return preview(context, appOr(context, target), options);
    if (target !== undefined) command.error('error: name either an app to preview or a link to --revoke');
    return revoke(context, options.revoke, options);
  });
}

async function preview(context: CommandContext, target: string, options: Options): Promise<void> {
  const { channel, dev, minutes: expiresInMinutes, dryRun, json } = options;
  const registry = await connect(context, options);
  const shown = dev === undefined ? await resolveTarget(context, registry, target) : ownSources(target, dev);
  const made = await registry.makePreview({ body: { ...shown, channel, expiresInMinutes, dryRun } });
  const first = dev === undefined ? null : await firstPageAt(shown.app, dev, context.signal);
  if (first?.problem !== undefined) context.io.err(`hint: ${first.problem}\n`);
  const url = made.url !== null && first?.path !== undefined ? withPath(made.url, first.path) : made.url;
  if (json) return printJson(context, { ...made, url });
  const what = dev === undefined ? `${shown.app}@${shown.version}` : `${shown.app} from ${dev}`;
  if (url === null) {
    return printLines(context, [`dry run: no link was made; ${what} can be previewed`]);
  }
  context.io.err(
    `The live site with ${what}, for anyone with this link until ${timeText(made.expiresAt)}. ` +
      `Revoke it: npx @site/cli preview --revoke ${made.id}\n`,
  );
  context.io.out(`${url}\n`);
}

function withPath(link: string, path: string): string {
  const url = new URL(link);
  url.searchParams.set('path', path);
  return url.href;
}

async function list(context: CommandContext, target: string | undefined, { json }: Options): Promise<void> {
  const app = target === undefined ? undefined : parseTarget(target).app;
  const answer = await (await connect(context)).listPreviews({ query: { app } });
  if (json) return printJson(context, answer);
  const rows = answer.previews.map(({ id, app: of, version, dev, channel, by, expiresAt }) => [
    id,
    version === null ? `${of} from ${dev}` : `${of}@${version}`,
    channel,
    by,
    timeText(expiresAt),
  ]);
  printTable(context, ['ID', 'SHOWS', 'ON', 'BY', 'UNTIL'], rows, 'no links');
}

/** For an app that is not live, only its dev server knows a path. */
async function firstPageAt(
  app: string,
  dev: string,
  signal: AbortSignal | undefined,
): Promise<{ path: string; problem?: undefined } | { problem: string; path?: undefined }> {
  const patience = AbortSignal.timeout(DEV_SERVER_WITHIN_MS);
  try {
    const answer = await fetch(dev + DEV_TABLE_PATH, {
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    const { routes } = v.parse(DevTableSchema, await answer.json());
    const own = routes.find(({ remote }) => remote === app);
    if (own) return { path: own.path };
    const others = [...new Set(routes.map(({ remote }) => remote))].join(', ') || 'nothing';
    return { problem: `the dev server at ${dev} serves ${others}, but not ${app}.` };
  } catch {
    return {
      problem: `no dev server responds at ${dev}. The link needs one for ${app}: run "npm run dev" in its folder.`,
    };
  }
}

function ownSources(target: string, dev: string): { app: string; dev: string; version?: undefined } {
  return { app: parseTarget(target).app, dev };
}

async function revoke(context: CommandContext, id: string, options: Options): Promise<void> {
  const { reason = 'not needed any more', dryRun, json } = options;
  const registry = await connect(context, options);
  const answer = await registry.endPreview({ params: { preview: id }, body: { reason, dryRun } });
  if (json) return printJson(context, answer);
  printLines(context, [
    !answer.changed
      ? `nothing to do: the link ${id} was already revoked at ${timeText(answer.revokedAt)}`
      : answer.dryRun
        ? `dry run: nothing was changed; the link ${id} would be revoked`
        : `the link ${id} is revoked: edges reject it within a second`,
  ]);
}

function parseOrigin(text: string): string {
  const origin = v.safeParse(DevOriginSchema, URL.canParse(text) ? new URL(text).origin : text);
  if (origin.success) return origin.output;
  throw new InvalidArgumentError(origin.issues[0].message);
}
