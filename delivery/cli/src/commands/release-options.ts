import { Option, type Command } from 'commander';
import type { Released } from '../registry-answers.schema.ts';
import type { RegistryClient } from '../registry-client.ts';
import { change } from '../output.ts';
import { waitForEdges } from '../wait-for-edges.ts';
import { printJson, type CommandContext } from './command-context.ts';

/** What `activate` and `rollback` have in common. */
export interface ReleaseOptions {
  channel: string;
  wait: boolean;
  force?: true;
  json?: true;
}

export const channelOption = () =>
  new Option('--channel <name>', 'the channel').choices(['production', 'staging']).default('production');

export function addReleaseOptions(command: Command): Command {
  return command
    .addOption(channelOption())
    .option('--force', 'also a quarantined version; lifts its quarantine')
    .option('--no-wait', 'do not wait until every edge serves the release')
    .option('--json', 'print the result as JSON');
}

/** Waits for the edges, then prints what became live and how long it took. `startedAt` by `performance.now()`. */
export async function finishRelease(
  context: CommandContext,
  registry: RegistryClient,
  released: Released & { revoked?: string[] },
  { channel, wait, json }: ReleaseOptions,
  startedAt: number,
): Promise<void> {
  const { release, changed, changes, rendered } = released;
  const serving = wait ? await waitForEdges(registry, channel, release.id) : null;
  const ms = Math.round(performance.now() - startedAt);
  if (json) return printJson(context, { ...released, edges: serving?.edges ?? null, ms });

  const lines = changed
    ? [
        `${release.id} is live on ${channel}`,
        ...changes.map((item) => `  ${change(item)}`),
        `  ${rendered === 0 ? 'no page was rendered anew' : `pages rendered: ${rendered}`}`,
        ...(released.revoked?.length ? [`  open tabs leave: ${released.revoked.join(', ')}`] : []),
      ]
    : [`nothing to do: ${release.id} is live on ${channel} with these versions already`];
  const ending = !serving
    ? []
    : serving.edges === 0
      ? ['no edge has reported lately: nobody serves it yet']
      : [`every edge (${serving.edges}) serves it after ${ms} ms`];
  context.io.out([...lines, ...ending].map((line) => `${line}\n`).join(''));
}
