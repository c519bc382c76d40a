import { InvalidArgumentError, Option, type Command } from 'commander';
import * as v from 'valibot';
import {
  CanaryShareSchema,
  ChannelNameSchema,
  ReleaseIdSchema,
  ShareSchema,
  readWholeNumber,
  type ChannelName,
} from '@site/contract';
import { IdempotencyKeySchema } from '@site/contract/registry-calls/call';
import { sharesRise } from '@site/contract/registry-calls/channel.calls';
import { PAGE } from '@site/contract/registry-calls/fields';

export interface CommonOptions {
  json?: true;
}

export interface ChannelOptions extends CommonOptions {
  channel: ChannelName;
}

export interface ChangeOptions extends CommonOptions {
  dryRun?: true;
  key?: string;
}

export const channelOption = () =>
  new Option('--channel <name>', 'the channel').choices(ChannelNameSchema.options).default('production');

export function addCommonOptions(command: Command, ...examples: string[]): Command {
  return command
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n` +
        examples.map((line) => `  $ npx @site/cli ${line}\n`).join(''),
    );
}

export function addChangeOptions(command: Command, ...examples: string[]): Command {
  command
    .option('--dry-run', 'check everything and show the result; change nothing')
    .option(
      '--key <text>',
      'idempotency key: a retry with the same key gets the same response, and the change is made only once ' +
        '(default: a new key)',
      parseAs(IdempotencyKeySchema),
    );
  return addCommonOptions(command, ...examples);
}

export const parseCanaryApp = parseAs(CanaryShareSchema.entries.app);

export const ifLiveOption = [
  '--if-live <release>',
  'the expected live release: fails if another one is live',
  parseReleaseId,
] as const;

export const reasonOption = ['--reason <text>', 'recorded in the history'] as const;

export const limitOption = [
  '--limit <number>',
  `maximum number of entries, at most ${PAGE}`,
  parseWholeNumber(1, PAGE),
  20,
] as const;

export function addAuthorOptions(command: Command, { needsReason }: { needsReason: boolean }): Command {
  return needsReason ? command.requiredOption(...reasonOption) : command.option(...reasonOption);
}

/** Repeatable. */
export const withoutOption = [
  '--without <app>',
  'leave this remote out until its next activation, so that it does not block the others; for ops',
  (app: string, others: string[] = []) => [...others, app],
] as const;

export function parseShare(text: string): number {
  const share = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text)?.[1];
  const parsed = v.safeParse(ShareSchema, share === undefined ? Number.NaN : Number(share));
  if (parsed.success) return parsed.output;
  throw new InvalidArgumentError(
    share === undefined ? 'A share is a percentage, such as 10% or 0.25%.' : parsed.issues[0].message,
  );
}

/** `1%,10%,50%,100%` */
export function parseShares(text: string): number[] {
  const shares = text
    .split(',')
    .map((share, index) => (index > 0 && /^\s*100\s*%?$/.test(share) ? 100 : parseShare(share.trim())));
  if (sharesRise(shares)) return shares;
  throw new InvalidArgumentError('Shares must rise, such as 1%,10%,50%,100%.');
}

const MINUTES_OF = { m: 1, h: 60, d: 24 * 60 } as const;

/** Parses `30m`, `1h` or `7d` into minutes. */
export function parseMinutes(most: number): (text: string) => number {
  return (text) => {
    const found = /^(\d{1,6})([mhd])$/.exec(text);
    const minutes = found ? Number(found[1]) * MINUTES_OF[found[2] as keyof typeof MINUTES_OF] : 0;
    if (minutes >= 1 && minutes <= most) return minutes;
    throw new InvalidArgumentError(
      `Give minutes, hours or days, such as 30m, 1h or 7d; at most ${most / 60 / 24}d.`,
    );
  };
}

export function parseReleaseId(text: string): string {
  if (v.is(ReleaseIdSchema, text)) return text;
  throw new InvalidArgumentError('A release has a name like r12; "npx @site/cli history" lists them.');
}

export function parseWholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = readWholeNumber(text, from, to);
    if (number !== null) return number;
    throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
  };
}

export function parseAs<const Schema extends v.GenericSchema<string, string>>(
  schema: Schema,
): (text: string) => v.InferOutput<Schema> {
  return (text) => {
    const parsed = v.safeParse(schema, text);
    if (parsed.success) return parsed.output;
    throw new InvalidArgumentError(parsed.issues[0].message);
  };
}

export interface RemovalOptions extends ChangeOptions {
  reason: string;
}

interface Removal {
  name: string;
  description: string;
  example: string;
  remove(id: string, options: RemovalOptions): Promise<void>;
}

export function addRemoval(group: Command, { name, description, example, remove }: Removal): void {
  const command = group
    .command(name)
    .description(description)
    .argument('<id>', `as "${group.name()} list" shows it`)
    .requiredOption(...reasonOption);
  addChangeOptions(command, example).action(remove);
}
