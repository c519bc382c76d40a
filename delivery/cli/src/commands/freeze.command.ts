import type { Command } from 'commander';
import type { FreezesAnswer } from '@site/contract';
import { timeText } from '@site/contract/text';
import { CliError } from '../cli-error.ts';
import { changeLine, connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, channelOption, reasonOption, type ChangeOptions } from './options.ts';

interface Options extends ChangeOptions {
  channel: string;
  reason: string;
}

export function addFreeze(program: Command, context: CommandContext): void {
  const freeze = program
    .command('freeze')
    .description('block activations, canary starts and promotions; rollbacks and aborts still work')
    .argument('[app]', 'only this app (default: all apps)')
    .addOption(channelOption())
    .requiredOption(...reasonOption);
  addChangeOptions(
    freeze,
    'freeze --reason "launch day"',
    'freeze mfe-blocks --reason "until the gateway is fixed"',
  ).action((app: string | undefined, options: Options) => setFreeze(context, app, options, 'freezeChannel'));

  const unfreeze = program
    .command('unfreeze')
    .description('lift a freeze')
    .argument('[app]', 'the freeze of this app (default: the freeze of all apps)')
    .addOption(channelOption())
    .requiredOption(...reasonOption);
  addChangeOptions(unfreeze, 'unfreeze --reason "launched"').action(
    (app: string | undefined, options: Options) => setFreeze(context, app, options, 'unfreezeChannel'),
  );
}

async function setFreeze(
  context: CommandContext,
  app: string | undefined,
  options: Options,
  change: 'freezeChannel' | 'unfreezeChannel',
): Promise<void> {
  const { channel, reason, dryRun, json } = options;
  const registry = await connect(context, options);
  const answer = await registry[change]({ params: { channel }, body: { app, reason, dryRun } });
  // Fails so that a script does not continue and be rejected later.
  const everything = answer.freezes.find((one) => one.app === null);
  if (change === 'unfreezeChannel' && app !== undefined && !answer.changed && everything) {
    throw new CliError(
      'still_frozen',
      `"${app}" has no freeze of its own on ${channel}, but is still frozen: all apps are, by ${everything.by}: ` +
        `"${everything.reason}". Lift that with "npx @site/cli unfreeze --channel ${channel} --reason …".`,
    );
  }
  if (json) return printJson(context, answer);
  printLines(context, [changeLine(answer), ...describeFreezes(channel, answer.freezes)]);
}

export function describeFreezes(channel: string, freezes: FreezesAnswer['freezes']): string[] {
  if (freezes.length === 0) return [`nothing is frozen on ${channel}`];
  return freezes.map(
    ({ app, by, at, reason }) =>
      `${app ?? 'everything'} has been frozen on ${channel} since ${timeText(at)}, by ${by}: ${reason}`,
  );
}
