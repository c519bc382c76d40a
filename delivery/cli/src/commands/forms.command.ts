import type { Command } from 'commander';
import {
  LONGEST_LOOK_AT_FORMS_MINUTES,
  LOOK_AT_FORMS_MINUTES,
} from '@site/contract/registry-calls/view.calls';
import { timeText } from '@site/contract/text';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseMinutes, type ChannelOptions } from './options.ts';

interface Options extends ChannelOptions {
  since: number;
}

export function addForms(program: Command, context: CommandContext): void {
  const command = program
    .command('forms')
    .description('form activity: page views, and sent, rejected and failed submissions')
    .argument('[app]', 'only this app')
    .addOption(channelOption())
    .option(
      '--since <time>',
      'the time range, in minutes, hours or days',
      parseMinutes(LONGEST_LOOK_AT_FORMS_MINUTES),
      LOOK_AT_FORMS_MINUTES,
    );
  addCommonOptions(command, 'forms', 'forms mfe-partners --since 7d').action(
    (app: string | undefined, options: Options) => forms(context, app, options),
  );
}

async function forms(
  context: CommandContext,
  app: string | undefined,
  { channel, since: minutes, json }: Options,
): Promise<void> {
  const answer = await (await connect(context)).readForms({ params: { channel }, query: { app, minutes } });
  if (json) return printJson(context, answer);
  const rows = answer.rows.map(
    ({ app: of, version, route, canary, views, sent, refused, failed, lastSent }) => [
      route,
      of,
      canary ? `${version} canary` : version,
      views.toLocaleString('en-US'),
      String(sent),
      String(refused),
      String(failed),
      lastSent === null ? '-' : timeText(lastSent),
    ],
  );
  printTable(
    context,
    ['PAGE', 'APP', 'VERSION', 'OPENED', 'SENT', 'REFUSED', 'FAILED', 'LAST SENT'],
    rows,
    `no form activity since ${timeText(answer.since)}`,
  );
}
