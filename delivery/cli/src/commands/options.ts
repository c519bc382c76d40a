import { InvalidArgumentError, Option, type Command } from 'commander';
import * as v from 'valibot';
import { ChannelNameSchema, ReleaseIdSchema, ShareSchema, wholeNumberOf } from '@site/contract';
import { IdempotencyKeySchema } from '@site/contract/registry-calls/call';
import { sharesRise } from '@site/contract/registry-calls/channel.calls';
import { PAGE } from '@site/contract/registry-calls/fields';

/** Options that every command has. */
export interface CommonOptions {
  json?: true;
}

/** Options of every command that changes something. */
export interface ChangeOptions extends CommonOptions {
  dryRun?: true;
  key?: string;
}

export const channelOption = () =>
  new Option('--channel <name>', 'the channel').choices(ChannelNameSchema.options).default('production');

/** `--json`, and the examples below the help. */
export function addCommonOptions(command: Command, ...examples: string[]): Command {
  return command
    .option('--json', 'print the result as one JSON document')
    .addHelpText(
      'after',
      `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  $ npx site ${line}\n`).join('')}`,
    );
}

/** `--dry-run`, `--key`, `--json` and the examples. */
export function addChangeOptions(command: Command, ...examples: string[]): Command {
  command
    .option('--dry-run', 'check everything and say what would happen; change nothing')
    .option(
      '--key <text>',
      'idempotency key of this run: a retry with the same key gets the same answer; nothing is done twice (default: a new one)',
      parseAs(IdempotencyKeySchema),
    );
  return addCommonOptions(command, ...examples);
}

export const ifLiveOption = [
  '--if-live <release>',
  'the release that you saw: refused when another one is live',
  parseReleaseId,
] as const;

export const reasonOption = ['--reason <text>', 'why; stays in the history'] as const;

/** How much of a list is shown: as much as one answer holds, at most. */
export const limitOption = [
  '--limit <number>',
  `how many, at most ${PAGE}`,
  parseWholeNumber(1, PAGE),
  20,
] as const;

/** What the author of a release says about it: see `authorFields` of the contract. */
export function addAuthorOptions(command: Command, { needsReason }: { needsReason: boolean }): Command {
  return needsReason ? command.requiredOption(...reasonOption) : command.option(...reasonOption);
}

/** May stand several times. */
export const withoutOption = [
  '--without <app>',
  'leave this remote out until it is activated again, so that it does not block the others; for ops',
  (app: string, others: string[] = []) => [...others, app],
] as const;

/** `10%`, `10` or `0.25%`. */
export function parseShare(text: string): number {
  const share = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text)?.[1];
  const parsed = v.safeParse(ShareSchema, share === undefined ? Number.NaN : Number(share));
  if (parsed.success) return parsed.output;
  throw new InvalidArgumentError(
    share === undefined ? 'A share is a percentage, such as 10% or 0.25%.' : parsed.issues[0].message,
  );
}

/** `1%,10%,50%,100%`: shares that rise. The last may be everyone. */
export function parseShares(text: string): number[] {
  const shares = text
    .split(',')
    .map((share, index) => (index > 0 && /^\s*100\s*%?$/.test(share) ? 100 : parseShare(share.trim())));
  if (sharesRise(shares)) return shares;
  throw new InvalidArgumentError('The shares rise, such as 1%,10%,50%,100%.');
}

const MINUTES_OF = { m: 1, h: 60, d: 24 * 60 } as const;

/** `30m`, `1h` or `7d`, in minutes. */
export function parseMinutes(most: number): (text: string) => number {
  return (text) => {
    const found = /^(\d{1,6})([mhd])$/.exec(text);
    const minutes = found ? Number(found[1]) * MINUTES_OF[found[2] as keyof typeof MINUTES_OF] : 0;
    if (minutes >= 1 && minutes <= most) return minutes;
    throw new InvalidArgumentError(
      `Give minutes, hours or days, such as 30m, 1h or 7d; ${most / 60 / 24}d at most.`,
    );
  };
}

export function parseReleaseId(text: string): string {
  if (v.is(ReleaseIdSchema, text)) return text;
  throw new InvalidArgumentError('A release is named like r12; "npx site history" lists them.');
}

export function parseWholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = wholeNumberOf(text, from, to);
    if (number !== null) return number;
    throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
  };
}

/** What a schema of the contract takes; anything else is told in its words, with the name of the option. */
export function parseAs<const Schema extends v.GenericSchema<string, string>>(
  schema: Schema,
): (text: string) => v.InferOutput<Schema> {
  return (text) => {
    const parsed = v.safeParse(schema, text);
    if (parsed.success) return parsed.output;
    throw new InvalidArgumentError(parsed.issues[0].message);
  };
}
