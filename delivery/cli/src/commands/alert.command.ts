import { Option, type Command } from 'commander';
import {
  AlertFormatSchema,
  AlertKindSchema,
  type AlertFormat,
  type AlertKind,
} from '@site/contract/registry-calls/alert.calls';
import { timeText } from '@site/contract/text';
import { CliError } from '../cli-error.ts';
import { lines as formatLines, table } from '../output.ts';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import {
  addChangeOptions,
  addCommonOptions,
  type ChangeOptions,
  type CommonOptions,
  addRemoval,
  type RemovalOptions,
} from './options.ts';

interface AddOptions extends ChangeOptions {
  format?: AlertFormat;
  kinds?: AlertKind[];
}

const addExample = 'alert add https://hooks.example.com/site --format chat --kinds acted suggested edge';
const removeExample = 'alert remove <id> --reason "another room now"';

export function addAlert(program: Command, context: CommandContext): void {
  const group = program
    .command('alert')
    .description("manage webhooks for alerts: the guard's actions and server problems")
    .addHelpText('after', `\nExamples:\n  $ npx @site/cli ${addExample}\n  $ npx @site/cli alert list`);

  const add = group
    .command('add')
    .description('send alerts to a webhook; prints the signing secret to standard output, once')
    .argument('<url>', 'must begin with https://')
    .addOption(
      new Option(
        '--format <format>',
        'json: for programs; chat: { "text": "…" } (default: by the address, else json)',
      ).choices(AlertFormatSchema.options),
    )
    .addOption(
      new Option('--kinds <kind...>', 'only these kinds of alerts (default: all)').choices(
        AlertKindSchema.options,
      ),
    );
  addChangeOptions(add, addExample).action((url: string, options: AddOptions) =>
    addHook(context, url, options),
  );

  const list = group.command('list').description('webhooks, delivery status and current problems');
  addCommonOptions(list, 'alert list').action((options: CommonOptions) => listHooks(context, options));

  addRemoval(group, {
    name: 'remove',
    description: 'stop sending to a webhook and drop queued alerts',
    example: removeExample,
    remove: (id, options) => removeHook(context, id, options),
  });

  const test = group
    .command('test')
    .description('send one test alert immediately and show whether it arrived')
    .argument('<id>', 'as "alert list" shows it');
  addCommonOptions(test, 'alert test <id>').action((id: string, options: CommonOptions) =>
    testHook(context, id, options),
  );
}

async function addHook(context: CommandContext, url: string, options: AddOptions): Promise<void> {
  const { format, kinds, dryRun, json } = options;
  const registry = await connect(context, options);
  const made = await registry.addAlertHook({ body: { url, format, kinds, dryRun } });
  if (json) return printJson(context, made);
  const gets = `${made.to} gets alerts (${made.format}): ${made.kinds.join(', ')}`;
  if (made.secret === null) return printLines(context, [`dry run: no hook was added; ${gets}`]);
  // Only the secret goes to standard output, so that it can be piped to a secret store unseen.
  context.io.err(`${gets} (id ${made.id}).\nThe signing secret won't be shown again:\n`);
  context.io.out(`${made.secret}\n`);
}

async function listHooks(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const answer = await (await connect(context)).listAlertHooks();
  if (json) return printJson(context, answer);
  const { hooks, troubles } = answer;
  const rows = hooks.map(({ id, to, format, kinds, waiting, dropped, failing }) => [
    id,
    to,
    format,
    kinds.join(' '),
    String(waiting),
    String(dropped),
    failing ? `${failing.problem} Tried ${failing.times} times, next at ${timeText(failing.next)}` : '-',
  ]);
  context.io.out(
    hooks.length === 0
      ? 'no webhooks: alerts are not sent; "npx @site/cli alert add <url>" adds one\n'
      : table([['ID', 'TO', 'FORMAT', 'KINDS', 'WAITING', 'DROPPED', 'PROBLEM'], ...rows]),
  );
  context.io.out(
    formatLines(
      troubles.length === 0
        ? ['no problems']
        : troubles.map(({ kind, says, since }) => `${kind}, since ${timeText(since)}: ${says}`),
    ),
  );
}

async function removeHook(context: CommandContext, id: string, options: RemovalOptions): Promise<void> {
  const { reason, dryRun, json } = options;
  const registry = await connect(context, options);
  const { to, waiting, ...answer } = await registry.removeAlertHook({
    params: { hook: id },
    body: { reason, dryRun },
  });
  if (json) return printJson(context, { ...answer, to, waiting });
  const lost = waiting === 0 ? '' : `, not even the ${waiting} in its queue`;
  printLines(context, [
    answer.dryRun
      ? `dry run: nothing was changed; ${to} would get no more alerts${lost}`
      : `${to} gets no more alerts${lost}`,
  ]);
}

async function testHook(context: CommandContext, id: string, { json }: CommonOptions): Promise<void> {
  const answer = await (await connect(context)).testAlertHook({ params: { hook: id }, body: {} });
  if (json) printJson(context, answer);
  if (answer.problem !== null)
    throw new CliError('alert_not_delivered', `${answer.to} did not accept the test. ${answer.problem}`);
  if (!json) printLines(context, [`${answer.to} accepted the test`]);
}
